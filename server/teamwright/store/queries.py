"""What is asked of all sessions of a workspace: lists, searches, runs, open decisions and open work."""

import sqlite3
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from pydantic import ValidationError

from teamwright.protocol.commands import SearchHit
from teamwright.protocol.decisions import Decision
from teamwright.protocol.errors import NotFound
from teamwright.protocol.events import DecisionRequested
from teamwright.protocol.ids import RunId, SessionId
from teamwright.protocol.records import EventRecord, read_record
from teamwright.protocol.views import SessionSummary
from teamwright.store.log import is_altered
from teamwright.store.port import RunPlace
from teamwright.store.rows import folded, last_place, microseconds, moment, place, seq_at, summary_in

_COLUMNS = "number, session_id, updated_at, CAST(summary AS BLOB), checksum"
_SNIPPET_WORDS = 16
# Shorter beginnings match half of everything, and take as long.
_SHORTEST_BEGINNING = 3


def list_sessions(
    connection: sqlite3.Connection,
    *,
    query: str | None,
    project: str | None,
    limit: int,
    before: SessionId | datetime | None,
) -> tuple[SessionSummary, ...]:
    conditions = ["deleted_at IS NULL"]
    values: list[str | int] = []
    if before is not None:
        conditions.append("(updated_at, number) < (?, ?)")
        values.extend(_position(connection, before))
    if project is not None:
        conditions.append("project = ?")
        values.append(project)
    if query:
        conditions.append("instr(words, ?)")
        values.append(folded(query))
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM sessions WHERE {' AND '.join(conditions)} "  # noqa: S608, made of constants
        "ORDER BY updated_at DESC, number DESC LIMIT ?",
        (*values, limit),
    )
    return tuple(_summary(connection, _Line(*row)) for row in found.fetchall())


def summary_of(connection: sqlite3.Connection, number: int) -> SessionSummary:
    found = connection.execute(f"SELECT {_COLUMNS} FROM sessions WHERE number = ?", (number,))  # noqa: S608, a constant
    return _summary(connection, _Line(*found.fetchone()))


def summary_from_log(connection: sqlite3.Connection, number: int) -> SessionSummary | None:
    """As the last record that describes the session tells it."""
    found = connection.execute(
        "SELECT CAST(body AS BLOB), checksum FROM events WHERE place BETWEEN ? AND ? AND iif(json_valid(body), "
        "json_extract(body, '$.event.type') IN ('session.created', 'session.updated'), 0) ORDER BY place DESC",
        (place(number, 0), last_place(number)),
    )
    records = (read_record(body) for body, checksum in found if not is_altered(body, checksum))
    told = (summary_in(record.event) for record in records if isinstance(record, EventRecord))
    return next((summary for summary in told if summary is not None), None)


def find_session(connection: sqlite3.Connection, thing: str) -> SessionId:
    """The one in which it began. Raises NotFound."""
    for column in ("run_id", "subject"):
        found = connection.execute(
            "SELECT session_id FROM events JOIN sessions ON number = place >> 32 "  # noqa: S608, one of two constants
            f"WHERE {column} = ? AND deleted_at IS NULL ORDER BY place LIMIT 1",
            (thing,),
        ).fetchone()
        if found:
            return SessionId(found[0])
    raise NotFound(f"There is no {thing} in any session of this workspace.")


def _position(connection: sqlite3.Connection, before: SessionId | datetime) -> tuple[int, int]:
    if isinstance(before, datetime):
        return microseconds(before), 0
    found = connection.execute("SELECT updated_at, number FROM sessions WHERE session_id = ?", (before,)).fetchone()
    if found is None:
        raise NotFound(f"There is no session {before} to list from; leave it out to list from the newest.")
    return found


class _Line(NamedTuple):
    """Of a session in the list."""

    number: int
    session_id: str
    updated_at: int
    summary: bytes
    checksum: int | None


def _summary(connection: sqlite3.Connection, line: _Line) -> SessionSummary:
    # What is damaged here stands in the log as well, and where it does not, the session stays in sight all the same.
    if not is_altered(line.summary, line.checksum):
        with suppress(ValidationError):
            return SessionSummary.model_validate_json(line.summary, extra="ignore")
    with suppress(sqlite3.DatabaseError):
        if (told := summary_from_log(connection, line.number)) is not None:
            return told
    at = moment(line.updated_at)
    return SessionSummary(session_id=SessionId(line.session_id), title="Damaged preview", created_at=at, updated_at=at)


def search_texts(connection: sqlite3.Connection, text: str, limit: int) -> tuple[SearchHit, ...]:
    match = _match_expression(text)
    if match is None:
        return ()
    # Newest first, because then the index stops at the limit, however common the words are; to rank the matches it
    # would have to look at every one. CROSS JOIN keeps it outermost.
    found = connection.execute(
        "SELECT session_id, texts.rowid, snippet(texts, 0, '', '', '…', ?) "
        "FROM texts CROSS JOIN sessions ON number = texts.rowid >> 32 "
        "WHERE texts MATCH ? AND deleted_at IS NULL ORDER BY texts.rowid DESC LIMIT ?",
        (_SNIPPET_WORDS, match, limit),
    )
    return tuple(
        SearchHit(session_id=SessionId(session_id), seq=seq_at(at), snippet=snippet)
        for session_id, at, snippet in found
    )


def _match_expression(text: str) -> str | None:
    """Every word quoted, so that nothing a user types is taken for an operator; the last may be a beginning."""
    words = text.replace("\0", " ").split()
    if not words:
        return None
    # Scripts that are written without spaces have short words, and what looks like one is often a whole phrase.
    is_beginning = len(words[-1]) >= _SHORTEST_BEGINNING or not words[-1].isascii()
    return " ".join('"' + word.replace('"', '""') + '"' for word in words) + ("*" if is_beginning else "")


def list_runs(
    connection: sqlite3.Connection, *, session_id: SessionId | None, project: str | None, limit: int
) -> tuple[RunPlace, ...]:
    """Newest first, which their ids sort by."""
    conditions = ["run_id IS NOT NULL", "deleted_at IS NULL"]
    values: list[str] = []
    if session_id is not None:
        conditions.append("session_id = ?")
        values.append(session_id)
    if project is not None:
        conditions.append("project = ?")
        values.append(project)
    # With a bare min() SQLite takes the other columns from the row that has it.
    found = connection.execute(
        "SELECT session_id, run_id, min(place) FROM events JOIN sessions ON number = place >> 32 "  # noqa: S608, constants
        f"WHERE {' AND '.join(conditions)} GROUP BY run_id ORDER BY run_id DESC LIMIT ?",
        (*values, limit),
    )
    return tuple(RunPlace(SessionId(session), RunId(run)) for session, run, _ in found)


def sessions_with_open_work(connection: sqlite3.Connection) -> tuple[SessionId, ...]:
    """Oldest first."""
    found = connection.execute(
        "SELECT DISTINCT session_id FROM open_work JOIN sessions ON number = session WHERE deleted_at IS NULL "
        "ORDER BY number"
    )
    return tuple(SessionId(session_id) for (session_id,) in found)


def open_decisions(connection: sqlite3.Connection) -> tuple[Decision, ...]:
    """Oldest session first. A decision is the subject of its request and of its resolution: open ones occur once."""
    found = connection.execute(
        "SELECT CAST(body AS BLOB), events.checksum FROM events JOIN sessions ON number = place >> 32 "
        "WHERE subject >= 'dec_' AND subject < 'dec`' AND deleted_at IS NULL "
        "GROUP BY number, subject HAVING count(*) = 1 ORDER BY place"
    )
    records = (read_record(body) for body, checksum in found if not is_altered(body, checksum))
    return tuple(
        record.event.decision.model_copy(update={"session_id": record.session_id, "run_id": record.run_id})
        for record in records
        if isinstance(record, EventRecord) and isinstance(record.event, DecisionRequested)
    )
