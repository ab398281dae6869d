"""Three texts into one: what the user typed meanwhile and what the team proposes, over what both started from. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from quorate.workspace.lines import LineEdit, line_edits, split_lines


@dataclass(frozen=True, slots=True)
class Merged:
    text: str


@dataclass(frozen=True, slots=True)
class Conflicted:
    """Both changed the same place in different ways. Neither text is lost: nothing is mixed."""

    ours: str
    theirs: str


def merge(base: str, ours: str, theirs: str) -> Merged | Conflicted:
    """Changes to lines that touch each other count as changes to the same place: nobody saw them together."""
    base_lines, our_lines, their_lines = split_lines(base), split_lines(ours), split_lines(theirs)
    our_edits, their_edits = line_edits(base_lines, our_lines), line_edits(base_lines, their_lines)
    pieces: list[str] = []
    kept_from = 0
    for our_group, their_group in _groups(our_edits, their_edits):
        start = min(edit.old_start for edit in (*our_group, *their_group))
        end = max(edit.old_end for edit in (*our_group, *their_group))
        pieces += base_lines[kept_from:start]
        our_part = _part(base_lines, our_lines, our_group, start, end)
        their_part = _part(base_lines, their_lines, their_group, start, end)
        if our_group and their_group and our_part != their_part:
            return Conflicted(ours, theirs)
        pieces += our_part if our_group else their_part
        kept_from = end
    return Merged("".join(pieces + base_lines[kept_from:]))


def _groups(ours: Sequence[LineEdit], theirs: Sequence[LineEdit]) -> list[tuple[list[LineEdit], list[LineEdit]]]:
    """Edits of both sides, those that touch the same lines of the base together."""
    marked = sorted(
        [(edit, 0) for edit in ours] + [(edit, 1) for edit in theirs],
        key=lambda found: (found[0].old_start, found[0].old_end),
    )
    groups: list[tuple[list[LineEdit], list[LineEdit]]] = []
    reached = -1
    for edit, side in marked:
        if edit.old_start > reached:
            groups.append(([], []))
        groups[-1][side].append(edit)
        reached = max(reached, edit.old_end)
    return groups


def _part(base: Sequence[str], changed: Sequence[str], edits: Sequence[LineEdit], start: int, end: int) -> list[str]:
    """What one side makes of lines [start, end) of the base."""
    lines: list[str] = []
    kept_from = start
    for edit in edits:
        lines += base[kept_from : edit.old_start]
        lines += changed[edit.new_start : edit.new_end]
        kept_from = edit.old_end
    return lines + list(base[kept_from:end])
