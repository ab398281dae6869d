"""A report as Markdown: for a pull request, for a model to read, for whoever likes files."""

from collections.abc import Iterator
from typing import Final, assert_never

from teamwright.engine.report.sections import RunReport
from teamwright.engine.transcript.analysis import analysis_parts
from teamwright.engine.transcript.words import duration
from teamwright.protocol.transcript import (
    AnyPart,
    ChipsPart,
    CodePart,
    DiffPart,
    LinkPart,
    MarkdownPart,
    MeterPart,
    PlainPart,
    TablePart,
    TimelinePart,
)
from teamwright.protocol.views import RunAnalysis

_SPECIAL: Final = str.maketrans({char: f"\\{char}" for char in r"\`*_[]<>|#@!"})


def as_markdown(report: RunReport) -> str:
    blocks = [f"# {_escaped(report.title)}", f"{report.about}, by Teamwright"]
    for section in report.sections:
        blocks.append(f"## {_escaped(section.title)}")
        blocks += parts_as_markdown(section.parts)
    return "\n\n".join(block for block in blocks if block) + "\n"


def parts_as_markdown(parts: tuple[AnyPart, ...]) -> list[str]:
    return [block for part in parts for block in _part(part) if block]


def analysis_for_model(analysis: RunAnalysis) -> str:
    """With the settings as a run takes them."""
    blocks = parts_as_markdown(tuple(analysis_parts(analysis)))
    if analysis.settings is not None:
        blocks.append(f"Settings for another run: {analysis.settings.model_dump_json(by_alias=False)}")
    return "\n\n".join(blocks)


def _part(part: AnyPart) -> Iterator[str]:
    if part.title and not isinstance(part, DiffPart | LinkPart):
        yield f"### {_escaped(part.title)}"
    match part:
        case MarkdownPart(text=text):
            # As it was written, but within a quotation: nothing of it can pass for a part of the report.
            yield "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
        case PlainPart(text=text) | MeterPart(text=text):
            yield "\n".join(f"{_escaped(line)}  " for line in text.splitlines()).rstrip()
        case CodePart(text=text):
            yield _fenced(text, "")
        case DiffPart():
            yield f"### {_escaped(f'{part.data.change} {part.text}')}"
            yield _fenced("\n".join(_diff_lines(part)), "diff")
        case TablePart():
            yield "\n".join(_table(part))
        case LinkPart(text=text, title=title):
            yield f"**{_escaped(title)}** ({_escaped(text)})" if title else _escaped(text)
        case ChipsPart(data=data):
            yield ", ".join(f"**{_escaped(chip.label)}**" for chip in data.chips)
        case TimelinePart():
            yield "\n".join(_lanes(part))
        case _:
            assert_never(part)


def _lanes(part: TimelinePart) -> Iterator[str]:
    for lane in part.data.lanes:
        busy = sum(span.end - span.start for span in lane.spans)
        note = f", {_escaped(lane.note)}" if lane.note else ""
        yield f"- {_escaped(lane.label)}: {duration(busy)} of {duration(part.data.seconds)}{note}"


def _table(part: TablePart) -> Iterator[str]:
    columns = part.data.columns
    yield f"| {' | '.join(_escaped(column.label) for column in columns)} |"
    yield f"| {' | '.join('---:' if column.align == 'right' else '---' for column in columns)} |"
    for row in part.data.rows:
        cells = (_escaped(" ".join(cell.text.split())) for cell in row.cells)
        yield f"| {' | '.join(f'~~{cell}~~' if row.void and cell else cell for cell in cells)} |"


def _diff_lines(part: DiffPart) -> Iterator[str]:
    for hunk in part.data.hunks:
        yield f"@@ -{hunk.old_start},{hunk.old_lines} +{hunk.new_start},{hunk.new_lines} @@"
        yield from hunk.lines


def _fenced(text: str, language: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL)
