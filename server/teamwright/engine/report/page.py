"""A report as one HTML page that needs nothing else and does nothing: no script, no address, nothing from elsewhere.

Whatever models, files or people have written is escaped, Markdown included: it is shown as it was written.
"""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from typing import Final, assert_never

from teamwright.engine.report.sections import ReportSection, RunReport
from teamwright.engine.report.timeline_picture import timeline_picture
from teamwright.protocol.transcript import (
    AnyPart,
    Chip,
    ChipsPart,
    CodePart,
    DiffPart,
    LinkPart,
    MarkdownPart,
    MeterPart,
    PlainPart,
    TablePart,
    TableRow,
    TimelinePart,
)

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --ok: #2a8a4a; --bad: #c8323c; --warn: #b7791f; --busy: #3b78c3;
  --idle: #8a8f98; --accent: #8250c4; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1rem 0 .2rem; }
.about, .faint { opacity: .7; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .6rem; border: 1px solid var(--line); border-radius: 4px;
  font: 13px/1.45 ui-monospace, monospace; margin: .3rem 0; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .1rem .9rem .1rem 0; vertical-align: top; }
th { font-weight: 500; opacity: .7; } .right { text-align: right; }
.void { text-decoration: line-through; opacity: .6; }
.chip { display: inline-block; border: 1px solid currentcolor; border-radius: 1rem; padding: 0 .6rem; margin: .1rem; }
.ok { color: var(--ok); } .bad { color: var(--bad); } .warn { color: var(--warn); } .busy { color: var(--busy); }
.idle { color: var(--idle); } .accent { color: var(--accent); }
.added { color: var(--ok); } .removed { color: var(--bad); }
summary { cursor: pointer; font-weight: 500; }
svg { width: 100%; height: auto; } svg rect { fill: currentcolor; } svg text { fill: currentcolor; font-size: 11px; }
svg .axis { stroke: var(--line); }
"""
_DIGEST: Final = b64encode(sha256(_STYLE.encode()).digest()).decode()
# The one sheet of styles is known by its hash; everything else is refused, whatever might have come in.
_POLICY: Final = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"


def as_page(report: RunReport) -> str:
    body = "\n".join(_section(section) for section in report.sections)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(report.title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(report.title)}</h1>
<p class="about">{escape(report.about)}, by Teamwright</p>
{body}
</body>
</html>
"""


def _section(section: ReportSection) -> str:
    return f"<h2>{escape(section.title)}</h2>\n" + "\n".join(_part(part) for part in section.parts)


def _part(part: AnyPart) -> str:
    body = _body(part) + ('<p class="faint">Only the beginning is shown here.</p>' if part.truncated else "")
    if part.folded:
        return f"<details><summary>{escape(part.title or 'Details')}</summary>{body}</details>"
    is_titled = part.title is not None and not isinstance(part, DiffPart | LinkPart)
    return f"<h3>{escape(part.title)}</h3>{body}" if is_titled and part.title else body


def _body(part: AnyPart) -> str:
    match part:
        case MarkdownPart(text=text) | PlainPart(text=text) | MeterPart(text=text):
            return f'<div class="text">{escape(text)}</div>'
        case CodePart(text=text):
            return f"<pre>{escape(text)}</pre>"
        case DiffPart():
            return _diff(part)
        case TablePart():
            return _table(part)
        case LinkPart(text=text, title=title):
            return f"<h3>{escape(title)}</h3><p>{escape(text)}</p>" if title else f"<p>{escape(text)}</p>"
        case ChipsPart(data=data):
            return f"<p>{''.join(_chip(chip) for chip in data.chips)}</p>"
        case TimelinePart():
            legend = "".join(_chip(chip) for chip in part.data.legend)
            return f'{timeline_picture(part.data)}<p>{legend} <span class="faint">{escape(part.text)}</span></p>'
        case _:
            assert_never(part)


def _chip(chip: Chip) -> str:
    return f'<span class="chip {chip.tone or ""}">{escape(chip.label)}</span>'


def _table(part: TablePart) -> str:
    columns = part.data.columns
    sides = ["right" if column.align == "right" else "" for column in columns]
    head = "".join(
        f'<th class="{side}">{escape(column.label)}</th>' for column, side in zip(columns, sides, strict=True)
    )
    rows = "".join(_row(row, sides) for row in part.data.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _row(row: TableRow, sides: list[str]) -> str:
    cells = "".join(
        f'<td class="{side}"><span class="{cell.tone or ""}">{escape(cell.text)}</span></td>'
        for cell, side in zip(row.cells, sides, strict=True)
    )
    return f'<tr class="{"void" if row.void else ""}">{cells}</tr>'


_SIGNS: Final = {"+": "added", "-": "removed"}


def _diff(part: DiffPart) -> str:
    said = ", ".join(each for each in (f"{part.data.change} {part.text}", part.title, part.data.outcome) if each)
    return f"<h3>{escape(said)}</h3><pre>{''.join(_diff_lines(part))}</pre>"


def _diff_lines(part: DiffPart) -> Iterator[str]:
    for hunk in part.data.hunks:
        yield f"@@ -{hunk.old_start},{hunk.old_lines} +{hunk.new_start},{hunk.new_lines} @@\n"
        for line in hunk.lines:
            yield f'<span class="{_SIGNS.get(line[:1], "")}">{escape(line)}</span>\n'
