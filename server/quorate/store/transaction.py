"""What those who write together do to the database, between one begin and one commit."""

import sqlite3
from collections.abc import Sequence
from dataclasses import astuple

from quorate.protocol.ids import SessionId
from quorate.store.log import Head, find_head, no_such
from quorate.store.open_work import note_work
from quorate.store.rows import Preview, Row, place


class Transaction:
    """Rows are gathered and inserted together at the end, which is what makes many small appends cheap."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._heads: dict[SessionId, Head | None] = {}
        self._events: list[tuple[int, str | None, str | None, str]] = []
        self._texts: list[tuple[int, str]] = []

    def find_head(self, session_id: SessionId) -> Head | None:
        if session_id not in self._heads:
            self._heads[session_id] = find_head(self.connection, session_id)
        return self._heads[session_id]

    def head_of(self, session_id: SessionId) -> Head:
        head = self.find_head(session_id)
        if head is None:
            raise no_such(session_id)
        return head

    def forget_head(self, session_id: SessionId) -> None:
        """For whoever changes whether there is such a session."""
        self._heads.pop(session_id, None)

    def create_session(self, session_id: SessionId, preview: Preview) -> Head:
        created = self.connection.execute(
            "INSERT INTO sessions (session_id, updated_at, project, words, summary) VALUES (?, ?, ?, ?, ?) "
            "RETURNING number",
            (session_id, *astuple(preview)),
        )
        head = Head(created.fetchone()[0], 0)
        self._heads[session_id] = head
        return head

    def update_preview(self, head: Head, preview: Preview) -> None:
        self.connection.execute(
            "UPDATE sessions SET updated_at = ?, project = ?, words = ?, summary = ? WHERE number = ?",
            (*astuple(preview), head.number),
        )

    def append(self, session_id: SessionId, rows: Sequence[Row]) -> None:
        number, last_seq = self.head_of(session_id)
        for at, row in enumerate(rows, place(number, last_seq + 1)):
            self._events.append((at, row.run_id, row.subject, row.body))
            if row.text:
                self._texts.append((at, row.text))
            if row.begins is not None or row.ends is not None:
                note_work(self.connection, number, begins=row.begins, ends=row.ends)
        self._heads[session_id] = Head(number, last_seq + len(rows))

    def flush(self) -> None:
        self.connection.executemany(
            "INSERT INTO events (place, run_id, subject, body) VALUES (?, ?, ?, ?)", self._events
        )
        self.connection.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", self._texts)
        self._events.clear()
        self._texts.clear()
