"""A timeline as a picture within a page. Only classes style it: the page's policy is strict."""

from html import escape
from typing import Final

from teamwright.protocol.transcript import TimelineData, TimelineLane

_LABELS: Final = 110
_WIDTH: Final = 600
_NOTES: Final = 190
_LANE: Final = 26
_BAR: Final = 14


def timeline_picture(data: TimelineData) -> str:
    height = _LANE * len(data.lanes) + 4
    whole = _LABELS + _WIDTH + _NOTES
    lanes = "".join(_lane(data, lane, _LANE * number) for number, lane in enumerate(data.lanes))
    return f'<svg viewBox="0 0 {whole} {height}" role="img" aria-label="Timeline">{lanes}</svg>'


def _lane(data: TimelineData, lane: TimelineLane, top: int) -> str:
    scale = _WIDTH / max(data.seconds, 1e-9)
    middle = top + _LANE // 2
    bars = "".join(
        f'<rect class="{span.tone or "busy"}" x="{_LABELS + span.start * scale:.1f}" y="{middle - _BAR // 2}" '
        f'width="{max((span.end - span.start) * scale, 1.5):.1f}" height="{_BAR}">'
        f"<title>{escape(span.label)}</title></rect>"
        for span in lane.spans
    )
    marks = "".join(
        f'<text class="{mark.tone or ""}" x="{_LABELS + mark.at * scale:.1f}" y="{top + 6}">{escape(mark.sign)}'
        f"<title>{escape(mark.label)}</title></text>"
        for mark in lane.marks
    )
    axis = f'<line class="axis" x1="{_LABELS}" x2="{_LABELS + _WIDTH}" y1="{middle}" y2="{middle}"/>'
    label = f'<text x="0" y="{middle + 4}">{escape(lane.label)}</text>'
    note = f'<text x="{_LABELS + _WIDTH + 8}" y="{middle + 4}">{escape(lane.note or "")}</text>'
    return axis + label + bars + marks + note
