"""Which sessions have a turn or a run that has begun and not ended, whoever works on it, or nobody."""

import sqlite3

from quorate.protocol.ids import SessionId


def note_work(connection: sqlite3.Connection, number: int, *, begins: str | None, ends: str | None) -> None:
    if begins is not None:
        connection.execute("INSERT OR IGNORE INTO open_work (session, thing) VALUES (?, ?)", (number, begins))
    if ends is not None:
        connection.execute("DELETE FROM open_work WHERE session = ? AND thing = ?", (number, ends))


def forget_work(connection: sqlite3.Connection, number: int) -> None:
    connection.execute("DELETE FROM open_work WHERE session = ?", (number,))


def sessions_with_open_work(connection: sqlite3.Connection) -> tuple[SessionId, ...]:
    """Oldest first."""
    found = connection.execute(
        "SELECT DISTINCT session_id FROM open_work JOIN sessions ON number = session WHERE deleted_at IS NULL "
        "ORDER BY number"
    )
    return tuple(SessionId(session_id) for (session_id,) in found)
