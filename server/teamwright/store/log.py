"""Reading a log: where it stands, and its records by the page."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from teamwright.protocol.errors import NotFound
from teamwright.protocol.ids import RunId, SessionId
from teamwright.protocol.records import EventRecord, Unreadable, read_record
from teamwright.store.errors import is_damage
from teamwright.store.port import Damaged, LogPage
from teamwright.store.rows import checksum_of, last_place, place, seq_at

# As bytes, so that a text that is no longer UTF-8 is one damaged record and not a failed query.
_BODY = "CAST(body AS BLOB), checksum"


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
    """Raises NotFound, also where it was deleted."""
    head = find_head(connection, session_id)
    if head is None:
        raise no_such(session_id)
    return head


def no_such(session_id: SessionId) -> NotFound:
    return NotFound(f"There is no session {session_id}; if it was deleted, restore it first.")


def bodies(connection: sqlite3.Connection, session_id: SessionId, up_to: int | None = None) -> list[bytes]:
    """The records as they were written; empty where nothing can be read, or something else than was written."""
    number, last_seq = head_of(connection, session_id)
    end = last_seq if up_to is None else min(up_to, last_seq)
    found = _stretch(connection, number, range(1, end + 1))
    return [b"" if body is None or is_altered(body, checksum) else body for _, body, checksum in found]


def is_altered(body: bytes, checksum: int | None) -> bool:
    """Whether it is no longer what was written. What took the place of something lost has no checksum."""
    return checksum is not None and checksum_of(body) != checksum


def page_after(connection: sqlite3.Connection, session_id: SessionId, seq: int, limit: int) -> LogPage:
    """At most `limit` records behind `seq`, those that cannot be read included. Raises NotFound."""
    number, last_seq = head_of(connection, session_id)
    end = min(seq + limit, last_seq)
    return _page(session_id, _stretch(connection, number, range(seq + 1, end + 1)), more=end < last_seq)


def page_before(connection: sqlite3.Connection, session_id: SessionId, seq: int | None, limit: int) -> LogPage:
    """The last `limit` records before `seq`, or of all; in their order. Raises NotFound."""
    number, last_seq = head_of(connection, session_id)
    end = last_seq + 1 if seq is None else min(seq, last_seq + 1)
    start = max(end - limit, 1)
    return _page(session_id, _stretch(connection, number, range(start, end)), more=start > 1)


def page_of_run(connection: sqlite3.Connection, session_id: SessionId, run_id: RunId, seq: int, limit: int) -> LogPage:
    number, _ = head_of(connection, session_id)
    found = connection.execute(
        f"SELECT place, {_BODY} FROM events WHERE run_id = ? AND place > ? AND place <= ? "  # noqa: S608, a constant
        "ORDER BY place LIMIT ?",
        (run_id, place(number, seq), last_place(number), limit + 1),
    ).fetchall()
    return _page(session_id, found[:limit], more=len(found) > limit)


# A record's place, its JSON if it can be read, and its checksum.
_Found = tuple[int, bytes | None, int | None]


def _stretch(connection: sqlite3.Connection, number: int, seqs: range) -> list[_Found]:
    """Exactly one for each seq, because a log has no gaps: where one is missing, the file is damaged."""
    first, after = place(number, seqs.start), place(number, seqs.stop)
    query = f"SELECT place, {_BODY} FROM events WHERE place >= ? AND place < ? ORDER BY place"  # noqa: S608, a constant
    try:
        found = connection.execute(query, (first, after)).fetchall()
    except sqlite3.DatabaseError as fault:
        if not is_damage(fault):
            raise
        found = []
    return found if len(found) == len(seqs) else [_single(connection, at) for at in range(first, after)]


def _single(connection: sqlite3.Connection, at: int) -> _Found:
    """Slower than a scan, but it gets past a page of the file that is broken."""
    try:
        row = connection.execute(f"SELECT {_BODY} FROM events WHERE place = ?", (at,)).fetchone()  # noqa: S608
    except sqlite3.DatabaseError as fault:
        if not is_damage(fault):
            raise
        row = None
    return (at, None, None) if row is None else (at, *row)


def _page(session_id: SessionId, found: Sequence[_Found], *, more: bool) -> LogPage:
    records: list[EventRecord] = []
    damaged: list[Damaged] = []
    for at, body, checksum in found:
        seq = seq_at(at)
        record = _read(body, checksum, session_id, seq)
        if isinstance(record, Unreadable):
            damaged.append(Damaged(seq, record.reason))
        else:
            records.append(record)
    return LogPage(tuple(records), tuple(damaged), more)


def _read(body: bytes | None, checksum: int | None, session_id: SessionId, seq: int) -> EventRecord | Unreadable:
    if not body:
        return Unreadable("A record lies on a broken part of the disk or file; it is passed over.")
    if is_altered(body, checksum):
        return Unreadable("A record was altered on the disk; it is passed over.")
    record = read_record(body)
    if isinstance(record, EventRecord) and (record.session_id, record.seq) != (session_id, seq):
        return Unreadable("A record is not where it belongs; it is passed over.")
    return record
