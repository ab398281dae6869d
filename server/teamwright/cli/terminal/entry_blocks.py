"""An entry of the transcript as blocks: its title, then its parts, by their kinds alone."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Final, assert_never

from teamwright.cli.terminal.blocks import Block, Cell, Columns, Line, Prose, Style
from teamwright.protocol.transcript import (
    AnyPart,
    ChipsPart,
    CodePart,
    DiffPart,
    Entry,
    LinkPart,
    MarkdownPart,
    MeterPart,
    PlainPart,
    TablePart,
    TimelineData,
    TimelineLane,
    TimelinePart,
    Tone,
)

_BY_STATE: Final[Mapping[str, Style]] = {"info": "faint", "warning": "warn", "error": "alarm"}
_REMARKS: Final = frozenset({"notice", "error"})
_FAINT_KINDS: Final = frozenset({"activity", "reasoning", "compaction"})
_SIGNS: Final[Mapping[str, Style]] = {"+": "added", "-": "removed"}
_INDENT: Final = 2


def entry_blocks(entry: Entry) -> Iterator[Block]:
    if entry.kind == "message":
        yield from _message(entry)
        return
    style = _style(entry)
    # Whose answer it is goes without saying where there is one assistant.
    if entry.title and not (entry.kind == "answer" and entry.agent_id is None):
        yield Line(entry.title, style)
    if entry.kind == "findings":
        yield from _findings(entry)
        return
    # A thought is nothing but its text; and nothing is hidden from whoever decides.
    unfolded = entry.kind == "reasoning" or entry.state == "waiting"
    above: AnyPart | None = None
    for part in entry.parts:
        if above is not None and above.folded and not unfolded and isinstance(part, ChipsPart):
            yield _chips(part, named=above.title if above.agent_id == part.agent_id else None)
        else:
            yield from part_blocks(part, style, unfolded=unfolded)
        above = part


def part_blocks(part: AnyPart, style: Style = "plain", *, unfolded: bool = False) -> Iterator[Block]:
    """Nothing of what is folded; `style` is that of the entry."""
    if part.folded and not unfolded:
        return
    if part.title and not isinstance(part, TablePart | LinkPart | DiffPart):
        yield Line(part.title, "strong")
    yield from _content(part, "faint" if style == "faint" else "plain")
    if part.truncated:
        yield Line("(the rest is too long to show)", "faint")


def _content(part: AnyPart, style: Style) -> Iterator[Block]:
    match part:
        case MarkdownPart(text=text):
            yield Line(text.rstrip("\n"), style) if style == "faint" else Prose(text)
        case PlainPart(text=text):
            yield Line(text.rstrip("\n"), "alarm" if part.part == "error" else style)
        case CodePart():
            yield from _code(part, style)
        case DiffPart():
            yield from _diff(part)
        case TablePart():
            yield from _table(part)
        case LinkPart(text=text, title=title):
            yield Line(f"{title} ({text})" if title else text, "strong" if title else "faint")
        case MeterPart(text=text):
            yield Line(text, "faint")
        case ChipsPart():
            yield _chips(part)
        case TimelinePart():
            yield from _timeline(part)
        case _:
            assert_never(part)


def _code(part: CodePart, style: Style) -> Iterator[Block]:
    text = part.text.rstrip("\n")
    if part.data.language != "diff":
        yield Line(text, style, is_code=True, indent=_INDENT)
        return
    for line in text.split("\n"):
        yield Line(line, _SIGNS.get(line[:1]) or style, is_code=True, indent=_INDENT)


def _chips(part: ChipsPart, *, named: str | None = None) -> Columns:
    """With what they are about, where that is folded away."""
    about = (Cell(named),) if named and not part.title else ()
    return Columns(((*about, *(Cell(chip.label, chip.tone or "plain") for chip in part.data.chips)),), _INDENT)


def _style(entry: Entry) -> Style:
    if entry.kind in _FAINT_KINDS:
        return "faint"
    return _BY_STATE.get(entry.state or "", "strong") if entry.kind in _REMARKS else "strong"


def _message(entry: Entry) -> Iterator[Block]:
    style: Style = "faint" if entry.state == "queued" else "strong"
    for part in entry.parts:
        if isinstance(part, PlainPart | MarkdownPart):
            first, *more = part.text.split("\n")
            yield Line("\n".join((f"> {first}", *(f"  {line}" for line in more))), style)
        else:
            yield from part_blocks(part, "faint")
    if entry.state == "queued":
        yield Line("(waits for its turn)", "faint", indent=_INDENT)


def _findings(entry: Entry) -> Iterator[Block]:
    """Each on a line, however many there are: how it stands, what it is and where; below it what is not said yet."""
    title = place = ""
    for part in entry.parts:
        match part:
            case LinkPart():
                title, place = part.title or "", part.text
            case ChipsPart(data=data):
                # Its severity comes first.
                style: Style = data.chips[0].tone or "plain"
                labels = ", ".join(chip.label for chip in data.chips)
                yield Line(f"{labels}: {title} ({place})", style, indent=_INDENT)
            case PlainPart(text=text):
                yield Line(text, indent=2 * _INDENT)
            case _:
                yield from part_blocks(part)


def _diff(part: DiffPart) -> Iterator[Block]:
    data = part.data
    said = (f"{data.change} {part.text}", part.title, data.outcome)
    yield Line(", ".join(each for each in said if each), "strong")
    for hunk in data.hunks:
        place = f"@@ -{hunk.old_start},{hunk.old_lines} +{hunk.new_start},{hunk.new_lines} @@"
        yield Line(place, "faint", is_code=True)
        for line in hunk.lines:
            yield Line(line, _SIGNS.get(line[:1], "plain"), is_code=True)


def _table(part: TablePart) -> Iterator[Block]:
    columns = part.data.columns
    numbers = [column.align == "right" for column in columns]
    rows = [
        tuple(
            Cell(cell.text, "faint" if row.void else cell.tone or "plain", is_number)
            for cell, is_number in zip(row.cells, numbers, strict=True)
        )
        for row in part.data.rows
    ]
    if not rows:
        return
    if any(column.label for column in columns):
        rows.insert(
            0, tuple(Cell(column.label, "faint", number) for column, number in zip(columns, numbers, strict=True))
        )
    used = [number for number in range(len(columns)) if any(row[number].text for row in rows[1:] or rows)]
    yield Columns(tuple(tuple(row[number] for number in used) for row in rows), _INDENT)


_BAR_WIDTH: Final = 40
# Told apart without colours, too.
_SHADES: Final[dict[Tone | None, str]] = {
    "busy": "█",
    "accent": "▓",
    "idle": "▒",
    "ok": "░",
    "warn": "?",
    "bad": "x",
    None: "█",
}


def _timeline(part: TimelinePart) -> Iterator[Block]:
    data = part.data
    rows = tuple((Cell(lane.label), Cell(_bar(data, lane)), Cell(lane.note or "", "faint")) for lane in data.lanes)
    if rows:
        yield Columns(rows, _INDENT)
    if legend := "  ".join(f"{_SHADES[chip.tone]} {chip.label}" for chip in data.legend):
        yield Line(legend, "faint", indent=_INDENT)
    yield Line(part.text, "faint", indent=_INDENT)


def _bar(data: TimelineData, lane: TimelineLane) -> str:
    """Marks stand on the bars, each in a place of its own as long as there is one."""
    whole = max(data.seconds, 1e-9)
    drawn = [" "] * _BAR_WIDTH
    for span in lane.spans:
        first = min(int(span.start / whole * _BAR_WIDTH), _BAR_WIDTH - 1)
        last = max(first + 1, min(ceil(span.end / whole * _BAR_WIDTH), _BAR_WIDTH))
        drawn[first:last] = _SHADES[span.tone] * (last - first)
    taken = set[int]()
    for mark in lane.marks:
        wanted = min(int(mark.at / whole * _BAR_WIDTH), _BAR_WIDTH - 1)
        place = next((at for at in (*range(wanted, _BAR_WIDTH), *range(wanted, -1, -1)) if at not in taken), wanted)
        taken.add(place)
        drawn[place] = mark.sign
    return "".join(drawn)
