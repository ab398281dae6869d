"""Where a text that is to be replaced stands, or nearly stands. Pure."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from quorate.tools.files.numbered_lines import numbered
from quorate.workspace.lines import split_lines

_NUMBERED = re.compile(r"\d+\t")
_LINES_AROUND = 2
_MOST_SHOWN = 20
# Comparing letter by letter is slow; in a longer file only lines that differ in blanks are found.
_MOST_COMPARED = 3_000
_SIMILAR = 0.6


def lines_of_matches(text: str, old: str) -> list[int]:
    """The line, from 1, at which each match starts. Line endings make no difference."""
    plain, wanted = _with_newlines(text), _with_newlines(old)
    return [plain.count("\n", 0, match.start()) + 1 for match in re.finditer(re.escape(wanted), plain)]


def described_miss(text: str, old: str) -> str:
    """What to do about it: sentences for the model, with the lines that it may have meant."""
    wanted = split_lines(old)
    if all(_NUMBERED.match(line) for line in wanted):
        return "Leave out the line numbers and tabs that read_file shows."
    lines = split_lines(text)
    found = _nearest(lines, wanted)
    if found is None:
        return "Nothing in it is similar: read the file again."
    first = max(1, found - _LINES_AROUND)
    last = min(len(lines), found + min(len(wanted), _MOST_SHOWN) - 1 + _LINES_AROUND)
    return f"The nearest lines are these; copy them exactly:\n{numbered(lines, first, last).text}"


def _nearest(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """The line, from 1, where the wanted lines would begin."""
    position, longest = max(enumerate(wanted), key=lambda each: len(each[1].strip()))
    exact = _agreeing(lines, wanted)
    if exact is not None:
        return exact
    if len(lines) > _MOST_COMPARED or not longest.strip():
        return None
    best, score = max(
        ((number, _similarity(line, longest)) for number, line in enumerate(lines, 1)),
        key=lambda each: each[1],
        default=(0, 0.0),
    )
    return max(1, best - position) if score >= _SIMILAR else None


def _agreeing(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Where most of the wanted lines stand, blanks around them aside."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        places.setdefault(line.strip(), []).append(number)
    votes: dict[int, int] = {}
    for offset, line in enumerate(wanted):
        for number in places.get(line.strip(), ()) if line.strip() else ():
            votes[number - offset] = votes.get(number - offset, 0) + 1
    return max(1, max(votes, key=lambda start: votes[start])) if votes else None


def _similarity(line: str, other: str) -> float:
    matcher = SequenceMatcher(None, line.strip(), other.strip(), autojunk=False)
    if matcher.real_quick_ratio() < _SIMILAR or matcher.quick_ratio() < _SIMILAR:
        return 0.0
    return matcher.ratio()


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
