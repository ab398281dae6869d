"""The fewest characters an editor must change to get from one text to another, as LSP places them. Pure."""

from dataclasses import dataclass

from teamwright.protocol.items import Position, Range
from teamwright.workspace.files.lines import line_edits, split_lines
from teamwright.workspace.files.positions import PositionUnit, width


@dataclass(frozen=True, slots=True)
class TextEdit:
    range: Range
    new_text: str


def text_edits(old: str, new: str, unit: PositionUnit = "utf-16") -> tuple[TextEdit, ...]:
    """In order, apart from each other, all placed in the old text. Applied together they make the new one."""
    old_lines, new_lines = split_lines(old), split_lines(new)
    edits: list[TextEdit] = []
    for edit in line_edits(old_lines, new_lines):
        before = "".join(old_lines[edit.old_start : edit.old_end])
        after = "".join(new_lines[edit.new_start : edit.new_end])
        start, end = _trimmed(before, after)
        changed = Range(
            start=_position(old_lines, edit.old_start, start, unit),
            end=_position(old_lines, edit.old_start, len(before) - end, unit),
        )
        edits.append(TextEdit(changed, after[start : len(after) - end]))
    return tuple(edits)


def _trimmed(before: str, after: str) -> tuple[int, int]:
    """How much both share at the start and at the end. A \\r\\n is never cut: no position lies inside it."""
    shortest = min(len(before), len(after))
    start = 0
    while start < shortest and before[start] == after[start]:
        start += 1
    while start and any(_cuts_ending(text, start) for text in (before, after)):
        start -= 1
    end = 0
    while end < shortest - start and before[-1 - end] == after[-1 - end]:
        end += 1
    while end and any(_cuts_ending(text, len(text) - end) for text in (before, after)):
        end -= 1
    return start, end


def _cuts_ending(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1] == "\r" and text[at] == "\n"


def _position(lines: list[str], line: int, offset: int, unit: PositionUnit) -> Position:
    """Where `offset` characters after the start of `line` are."""
    while line < len(lines) and offset >= len(lines[line]) and lines[line].endswith(("\n", "\r")):
        offset -= len(lines[line])
        line += 1
    return Position(line=line, character=width(lines[line][:offset], unit) if line < len(lines) else 0)
