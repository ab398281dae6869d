"""Lines of a text as a model is shown them: numbered, so that it can name them, and bounded. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

_MOST_CHARACTERS = 32_000
_LONGEST_LINE = 1_000


@dataclass(frozen=True, slots=True)
class Shown:
    text: str
    last: int


def numbered(lines: Sequence[str], first: int, last: int) -> Shown:
    """Lines `first` to `last`, from 1, or as many of them as fit. At least one."""
    shown: list[str] = []
    room = _MOST_CHARACTERS
    for number in range(first, last + 1):
        line = f"{number}\t{_cut(lines[number - 1])}"
        room -= len(line) + 1
        if shown and room < 0:
            break
        shown.append(line)
    return Shown("\n".join(shown), first + len(shown) - 1)


def _cut(line: str) -> str:
    line = line.rstrip("\r\n")
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{line[:_LONGEST_LINE]}[… {len(line) - _LONGEST_LINE} more characters]"
