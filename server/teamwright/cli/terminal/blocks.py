"""What can be put on a terminal or into a pipe: lines, prose in Markdown, and columns. Nothing here knows how."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from teamwright.protocol.transcript import Tone

Style = Literal["plain", "strong", "faint", "added", "removed", "alarm"] | Tone


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    style: Style = "plain"
    # Code stays as it is, however long its lines are.
    is_code: bool = False
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Prose:
    """Markdown, as models write it."""

    text: str
    # Of what is still being written, at most that many lines of its end.
    most_lines: int | None = None
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    style: Style = "plain"
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Columns:
    """Cells under each other; the last column takes the room that is left."""

    rows: tuple[tuple[Cell, ...], ...]
    indent: int = 0

    @property
    def widths(self) -> list[int]:
        return [max(len(cell.text) for cell in column) for column in zip(*self.rows, strict=True)]


Block = Line | Prose | Columns

EMPTY: Final = Line("")
_GAP: Final = "  "


def as_lines(blocks: Iterable[Block]) -> list[str]:
    """As plain text: for pipes, files and terminals that can do no more."""
    lines: list[str] = []
    for block in blocks:
        match block:
            case Line(text=text, indent=indent):
                lines += [" " * indent + line for line in text.split("\n")]
            case Prose(text=text, indent=indent):
                lines += [f"{' ' * indent}{line}".rstrip() for line in text.rstrip("\n").split("\n")]
            case Columns():
                lines += _rows(block)
    return lines


def _rows(columns: Columns) -> list[str]:
    widths = columns.widths
    return [
        " " * columns.indent
        + _GAP.join(
            cell.text.rjust(width) if cell.is_number else cell.text.ljust(width)
            for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in columns.rows
    ]
