"""Rows for people, as aligned columns."""

from collections.abc import Iterator, Sequence
from typing import Final

from teamwright.engine.transcript.words import money
from teamwright.protocol.commands import SearchHit
from teamwright.protocol.views import SessionSummary

_LONGEST_TEXT: Final = 32


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        yield ("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))).rstrip()


def sessions_table(sessions: Sequence[SessionSummary]) -> Iterator[str]:
    heading = ("ID", "LAST USED", "TURNS", "RUNS", "COST", "PROJECT", "TITLE", "LAST MESSAGE")
    return aligned([heading, *(_session_row(session) for session in sessions)])


def hits_table(hits: Sequence[SearchHit]) -> Iterator[str]:
    heading = ("ID", "RECORD", "WHAT WAS SAID")
    return aligned([heading, *((hit.session_id, str(hit.seq), " ".join(hit.snippet.split())) for hit in hits)])


def _session_row(session: SessionSummary) -> tuple[str, ...]:
    return (
        session.session_id,
        # As the clock on the wall has it.
        session.updated_at.astimezone().strftime("%Y-%m-%d %H:%M"),
        str(session.turns),
        str(session.runs),
        "?" if session.cost_usd is None else money(session.cost_usd) if session.cost_usd else "-",
        session.project or "-",
        _shortened(session.title),
        _shortened(session.last_message) or "-",
    )


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_TEXT else f"{line[: _LONGEST_TEXT - 3]}..."
