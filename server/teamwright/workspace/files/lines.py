"""Lines of a text, where two texts differ by lines, and where lines are after an edit. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
# Comparing costs about one step for each pair of equal lines; past this, what differs is taken as one block.
_MOST_EQUAL_PAIRS = 5_000_000


@dataclass(frozen=True, slots=True)
class LineEdit:
    """Lines [old_start, old_end) of the old text become lines [new_start, new_end) of the new one."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def split_lines(text: str) -> list[str]:
    """Lines with their endings, as editors count them: \\n, \\r\\n and \\r end a line, nothing else does."""
    return _LINE.findall(text)


def line_edits(old: Sequence[str], new: Sequence[str]) -> tuple[LineEdit, ...]:
    """In order and apart from each other: between two edits stands at least one line that both texts share."""
    start = _common_length(old, new)
    end = _common_length(old[start:][::-1], new[start:][::-1])
    old_middle, new_middle = old[start : len(old) - end], new[start : len(new) - end]
    if not old_middle and not new_middle:
        return ()
    if _equal_pairs(old_middle, new_middle) > _MOST_EQUAL_PAIRS:
        return (LineEdit(start, start + len(old_middle), start, start + len(new_middle)),)
    matcher = SequenceMatcher(None, old_middle, new_middle)
    return tuple(
        LineEdit(start + old_start, start + old_end, start + new_start, start + new_end)
        for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    )


def _common_length(left: Sequence[str], right: Sequence[str]) -> int:
    shared = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        shared += 1
    return shared


def _equal_pairs(old: Sequence[str], new: Sequence[str]) -> int:
    in_old, in_new = Counter(old), Counter(new)
    # difflib passes over lines that make up more than a hundredth of a long text.
    popular = len(new) // 100 + 1 if len(new) >= 200 else len(new)
    return sum(in_old[line] * count for line, count in in_new.items() if count <= popular)


def moved(first: int, last: int, edits: Sequence[LineEdit]) -> tuple[int, int] | None:
    """The lines from `first` to `last`, counted from 0, both included; None where nothing is left of them."""
    if any(edit.old_start <= first and last < edit.old_end and edit.new_start == edit.new_end for edit in edits):
        return None
    return _moved(first, edits), max(_moved(first, edits), _moved(last, edits))


def _moved(line: int, edits: Sequence[LineEdit]) -> int:
    shift = 0
    for edit in edits:
        if edit.old_end <= line:
            shift = edit.new_end - edit.old_end
        elif edit.old_start <= line:
            return min(edit.new_start + line - edit.old_start, max(edit.new_start, edit.new_end - 1))
    return line + shift
