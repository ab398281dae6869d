"""What a transaction writes: sessions begun, records appended, work noted, sessions deleted or purged."""

import sqlite3
from collections.abc import Sequence
from dataclasses import astuple
from datetime import datetime

from teamwright.protocol.errors import NotFound
from teamwright.protocol.ids import RunId, SessionId
from teamwright.store.log import Head, find_head, no_such
from teamwright.store.rows import Preview, Row, checksum_of, last_place, microseconds, place


class Transaction:
    """Rows are gathered and inserted together at the end, which is what makes many small appends cheap."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._heads: dict[SessionId, Head | None] = {}
        self._events: list[tuple[int, str | None, str | None, str, int]] = []
        self._texts: list[tuple[int, str]] = []

    def find_head(self, session_id: SessionId) -> Head | None:
        if session_id not in self._heads:
            self._heads[session_id] = find_head(self.connection, session_id)
        return self._heads[session_id]

    def head_of(self, session_id: SessionId) -> Head:
        """As this transaction has left it. Raises NotFound."""
        head = self.find_head(session_id)
        if head is None:
            raise no_such(session_id)
        return head

    def forget_head(self, session_id: SessionId) -> None:
        """For whoever changes whether there is such a session."""
        self._heads.pop(session_id, None)

    def create_session(self, session_id: SessionId, preview: Preview) -> Head:
        created = self.connection.execute(
            "INSERT INTO sessions (session_id, updated_at, project, words, summary, checksum) "
            "VALUES (?, ?, ?, ?, ?, ?) RETURNING number",
            (session_id, *astuple(preview)),
        )
        head = Head(created.fetchone()[0], 0)
        self._heads[session_id] = head
        return head

    def update_preview(self, head: Head, preview: Preview) -> None:
        self.connection.execute(
            "UPDATE sessions SET updated_at = ?, project = ?, words = ?, summary = ?, checksum = ? WHERE number = ?",
            (*astuple(preview), head.number),
        )

    def append(self, session_id: SessionId, rows: Sequence[Row]) -> None:
        number, last_seq = self.head_of(session_id)
        for at, row in enumerate(rows, place(number, last_seq + 1)):
            self._events.append((at, row.run_id, row.subject, row.body, checksum_of(row.body)))
            if row.text:
                self._texts.append((at, row.text))
            if row.begins is not None or row.ends is not None:
                note_work(self.connection, number, begins=row.begins, ends=row.ends)
        self._heads[session_id] = Head(number, last_seq + len(rows))

    def flush(self) -> None:
        self.connection.executemany(
            "INSERT INTO events (place, run_id, subject, body, checksum) VALUES (?, ?, ?, ?, ?)", self._events
        )
        self.connection.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", self._texts)
        self._events.clear()
        self._texts.clear()


def note_work(connection: sqlite3.Connection, number: int, *, begins: str | None, ends: str | None) -> None:
    if begins is not None:
        connection.execute("INSERT OR IGNORE INTO open_work (session, thing) VALUES (?, ?)", (number, begins))
    if ends is not None:
        connection.execute("DELETE FROM open_work WHERE session = ? AND thing = ?", (number, ends))


def forget_work(connection: sqlite3.Connection, number: int) -> None:
    connection.execute("DELETE FROM open_work WHERE session = ?", (number,))


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
