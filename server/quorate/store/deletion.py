"""Deleting with a way back, and for good."""

import sqlite3
from datetime import datetime

from quorate.protocol.errors import NotFound
from quorate.protocol.ids import RunId, SessionId
from quorate.store.open_work import forget_work
from quorate.store.rows import last_place, microseconds, place


def mark_deleted(connection: sqlite3.Connection, number: int, at: datetime) -> None:
    connection.execute("UPDATE sessions SET deleted_at = ? WHERE number = ?", (microseconds(at), number))


def unmark_deleted(connection: sqlite3.Connection, session_id: SessionId) -> None:
    """Restoring what is not deleted changes nothing."""
    restored = connection.execute("UPDATE sessions SET deleted_at = NULL WHERE session_id = ?", (session_id,))
    if restored.rowcount == 0:
        raise NotFound(f"There is no session {session_id} to restore; it may have been removed for good.")


def deleted_sessions(connection: sqlite3.Connection, before: datetime) -> list[SessionId]:
    found = connection.execute("SELECT session_id FROM sessions WHERE deleted_at < ?", (microseconds(before),))
    return [SessionId(session_id) for (session_id,) in found]


def purge_deleted(connection: sqlite3.Connection, session_id: SessionId, before: datetime) -> tuple[RunId, ...] | None:
    """The runs that no session knows any more; None when it was restored in the meantime."""
    purged = connection.execute(
        "DELETE FROM sessions WHERE session_id = ? AND deleted_at < ? RETURNING number",
        (session_id, microseconds(before)),
    ).fetchone()
    if purged is None:
        return None
    span = (place(purged[0], 0), last_place(purged[0]))
    own = "SELECT DISTINCT run_id FROM events WHERE place BETWEEN ? AND ? AND run_id IS NOT NULL"
    runs = connection.execute(own, span).fetchall()
    connection.execute("DELETE FROM events WHERE place BETWEEN ? AND ?", span)
    connection.execute("DELETE FROM texts WHERE rowid BETWEEN ? AND ?", span)
    forget_work(connection, purged[0])
    # A fork knows the runs of the session that it was made of.
    left = "SELECT 1 FROM events WHERE run_id = ? LIMIT 1"
    return tuple(RunId(run_id) for (run_id,) in runs if connection.execute(left, (run_id,)).fetchone() is None)
