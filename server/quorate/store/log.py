"""Reading a log: where it stands, and its records by the page."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from quorate.protocol.errors import NotFound
from quorate.protocol.ids import RunId, SessionId
from quorate.protocol.records import EventRecord, Unreadable, read_record
from quorate.store.errors import is_damage
from quorate.store.port import Damaged, LogPage
from quorate.store.rows import last_place, place, seq_at

# As bytes, so that a text that is no longer UTF-8 is one damaged record and not a failed query.
_BODY = "CAST(body AS BLOB)"


class Head(NamedTuple):
    """Where a session stands: its number, which is the high half of its records' places, and its last seq."""

    number: int
    last_seq: int


def find_head(connection: sqlite3.Connection, session_id: SessionId) -> Head | None:
    found = connection.execute(
        "SELECT number, (SELECT max(place) FROM events WHERE place BETWEEN number << 32 AND (number + 1 << 32) - 1) "
        "FROM sessions WHERE session_id = ? AND deleted_at IS NULL",
        (session_id,),
    ).fetchone()
    return found and Head(found[0], seq_at(found[1] or 0))


def head_of(connection: sqlite3.Connection, session_id: SessionId) -> Head:
    head = find_head(connection, session_id)
    if head is None:
        raise no_such(session_id)
    return head


def no_such(session_id: SessionId) -> NotFound:
    return NotFound(f"There is no session {session_id}; if it was deleted, restore it first.")


def bodies(connection: sqlite3.Connection, number: int, up_to: int | None = None) -> list[bytes]:
    end = last_place(number) if up_to is None else place(number, up_to)
    found = connection.execute(
        f"SELECT {_BODY} FROM events WHERE place BETWEEN ? AND ? ORDER BY place",  # noqa: S608, a constant
        (place(number, 1), end),
    )
    return [body for (body,) in found]


def page_after(
    connection: sqlite3.Connection, session_id: SessionId, seq: int, run_id: RunId | None, limit: int
) -> LogPage:
    number, last_seq = head_of(connection, session_id)
    of_run, run = ("", ()) if run_id is None else ("run_id = ? AND ", (run_id,))
    query = (
        f"SELECT place, {_BODY} FROM events WHERE {of_run}place > ? AND place <= ? "  # noqa: S608, constants
        "ORDER BY place LIMIT ?"
    )
    try:
        found = connection.execute(query, (*run, place(number, seq), last_place(number), limit + 1)).fetchall()
    except sqlite3.DatabaseError as fault:
        if not is_damage(fault) or run_id is not None:
            raise
        found = _one_by_one(connection, number, range(seq + 1, last_seq + 1)[: limit + 1])
    return _page(session_id, found[:limit], more=len(found) > limit)


def page_before(connection: sqlite3.Connection, session_id: SessionId, seq: int | None, limit: int) -> LogPage:
    number, _ = head_of(connection, session_id)
    end = last_place(number) + 1 if seq is None else place(number, seq)
    found = connection.execute(
        f"SELECT place, {_BODY} FROM events WHERE place > ? AND place < ? "  # noqa: S608, a constant
        "ORDER BY place DESC LIMIT ?",
        (place(number, 0), end, limit + 1),
    ).fetchall()
    return _page(session_id, found[:limit][::-1], more=len(found) > limit)


def _one_by_one(connection: sqlite3.Connection, number: int, seqs: range) -> list[tuple[int, bytes | None]]:
    """Slower than a scan, but it gets past a page of the file that is broken."""
    found: list[tuple[int, bytes | None]] = []
    for seq in seqs:
        at = place(number, seq)
        try:
            row = connection.execute(f"SELECT {_BODY} FROM events WHERE place = ?", (at,)).fetchone()  # noqa: S608
        except sqlite3.DatabaseError as fault:
            if not is_damage(fault):
                raise
            row = None
        found.append((at, row and row[0]))
    return found


def _page(session_id: SessionId, found: Sequence[tuple[int, bytes | None]], *, more: bool) -> LogPage:
    records: list[EventRecord] = []
    damaged: list[Damaged] = []
    for at, body in found:
        seq = seq_at(at)
        record = _read(body, session_id, seq)
        if isinstance(record, Unreadable):
            damaged.append(Damaged(seq, record.reason))
        else:
            records.append(record)
    return LogPage(tuple(records), tuple(damaged), more)


def _read(body: bytes | None, session_id: SessionId, seq: int) -> EventRecord | Unreadable:
    if body is None:
        return Unreadable("A record lies on a broken part of the disk or file; it is passed over.")
    record = read_record(body)
    if isinstance(record, EventRecord) and (record.session_id, record.seq) != (session_id, seq):
        return Unreadable("A record is not where it belongs; it is passed over.")
    return record
