"""The list of sessions, from the previews kept beside the logs."""

import sqlite3
from datetime import datetime

from pydantic import ValidationError

from quorate.protocol.errors import NotFound
from quorate.protocol.ids import SessionId
from quorate.protocol.views import SessionSummary
from quorate.store.rows import folded, microseconds, moment

_COLUMNS = "session_id, updated_at, CAST(summary AS BLOB)"


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
    return tuple(_summary(*row) for row in found)


def summary_of(connection: sqlite3.Connection, number: int) -> SessionSummary:
    found = connection.execute(f"SELECT {_COLUMNS} FROM sessions WHERE number = ?", (number,))  # noqa: S608, a constant
    return _summary(*found.fetchone())


def find_session(connection: sqlite3.Connection, thing: str) -> SessionId:
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


def _summary(session_id: str, updated_at: int, summary: bytes) -> SessionSummary:
    try:
        return SessionSummary.model_validate_json(summary, extra="ignore")
    except ValidationError:
        # A session whose preview is damaged stays in sight: its log may well be whole.
        at = moment(updated_at)
        return SessionSummary(session_id=SessionId(session_id), title="Damaged preview", created_at=at, updated_at=at)
