"""Records brought into a database from wherever they can still be read: a damaged file, a copy, a file that is gone.

A record says itself where it belongs, so that nothing else need be whole. What is there already stays as it is, and a
record that is altered keeps its place empty: no other ever gets its number.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast
from zlib import crc32

from pydantic import ValidationError
from pydantic_core import from_json

from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord, read_record
from teamwright.protocol.views import SessionSummary
from teamwright.store.queries import summary_from_log
from teamwright.store.repair.pages import DatabasePages, RawRow
from teamwright.store.rows import Preview, Row, checksum_of, moment, place, row_of, seq_at
from teamwright.store.schema import FILL_OPEN_WORK
from teamwright.store.search_index import rebuild_index

_SESSION_COLUMNS, _EVENT_COLUMNS = (7, 8), (4, 5)
_LOST_TITLE = "Damaged session"
_SEQS = 1 << 32

Wanted = Callable[[SessionId], bool]


class Incomplete(NamedTuple):
    title: str
    missing: int


@dataclass(frozen=True, slots=True)
class Salvaged:
    sessions: int
    records: int
    incomplete: tuple[Incomplete, ...]

    def __str__(self) -> str:
        """What became of it, in a sentence."""
        if not self.sessions:
            return "Nothing in it could be read."
        found = f"{counted(self.sessions, 'session')} with {counted(self.records, 'record')} could be brought back"
        if not self.incomplete:
            return f"{found}, and nothing is missing."
        shown = ", ".join(f"{counted(missing, 'record')} of “{title}”" for title, missing in self.incomplete[:5])
        rest = len(self.incomplete) - 5
        more = f" and of {counted(rest, 'other session')}" if rest > 0 else ""
        return f"{found}; lost: {shown}{more}."


@dataclass(slots=True)
class _SessionFound:
    """What is known of a session besides its records."""

    number: int
    # As the list of sessions had it; what its log says of it comes first.
    summary: SessionSummary | None = None
    deleted_at: int | None = None
    # The last place that was taken, also by a record that cannot be read.
    last_seq: int = 0


@dataclass(slots=True)
class Salvage:
    """Into a database that has its tables. In the transaction of whoever calls."""

    target: sqlite3.Connection
    _sessions: dict[SessionId, _SessionFound] = field(default_factory=dict[SessionId, _SessionFound])

    def take_file(self, path: Path, wanted: Wanted | None = None) -> bool:
        """Whatever state it is in. Tells whether every session that it lists came with its whole description."""
        numbers: dict[int, SessionId] = {}
        altered: list[int] = []
        is_whole = True
        pages = DatabasePages(path)
        for raw in pages.rows():
            if len(raw.values) in _EVENT_COLUMNS:
                self._take_event(raw, numbers, altered, wanted)
            elif len(raw.values) in _SESSION_COLUMNS:
                is_whole = self._take_session(raw, numbers, wanted) and is_whole
        for at in altered:
            session_id = numbers.get(at >> 32)
            found = None if session_id is None else self._sessions.get(session_id)
            if found is not None:
                found.last_seq = max(found.last_seq, seq_at(at))
        return is_whole and bool(numbers)

    def take_connection(self, source: sqlite3.Connection, wanted: Wanted | None = None) -> None:
        """Of a database that can be read, be it that its file has no name any more."""
        for session_id, deleted_at, summary in source.execute(
            "SELECT session_id, deleted_at, CAST(summary AS BLOB) FROM sessions"
        ):
            if _is_session(session_id) and (wanted is None or wanted(session_id)):
                self._describe(session_id, None, deleted_at, _summary_in(summary))
        for _, body in source.execute("SELECT place, CAST(body AS BLOB) FROM events ORDER BY place"):
            record = read_record(body)
            if isinstance(record, EventRecord) and record.session_id is not None and record.seq is not None:
                if wanted is None or wanted(record.session_id):
                    self._insert(record.session_id, None, record.seq, body.decode(), record)
            elif (address := _address_in(body)) is not None and (wanted is None or wanted(address[0])):
                self._insert(address[0], None, address[1], body.decode(), None)

    def finish(self) -> Salvaged:
        """What follows from the records: previews, what is under way, and the index of texts."""
        for session_id, found in self._sessions.items():
            if found.last_seq > self._count(found)[1]:
                self.target.execute(
                    "INSERT OR IGNORE INTO events (place, body) VALUES (?, '')", (place(found.number, found.last_seq),)
                )
            self._describe_from_log(session_id, found)
        self.target.execute("DELETE FROM open_work")
        self.target.execute(FILL_OPEN_WORK)
        rebuild_index(self.target)
        return self._told()

    @property
    def known(self) -> frozenset[SessionId]:
        return frozenset(self._sessions)

    def _take_event(
        self, raw: RawRow, numbers: dict[int, SessionId], altered: list[int], wanted: Wanted | None
    ) -> None:
        body = raw.values[3]
        checksum = raw.values[4] if len(raw.values) == max(_EVENT_COLUMNS) else None
        if raw.values[0] is not None or not isinstance(body, bytes) or raw.rowid < _SEQS:
            return
        record = None if isinstance(checksum, int) and crc32(body) != checksum else read_record(body)
        if isinstance(record, EventRecord) and record.session_id and record.seq and record.seq == seq_at(raw.rowid):
            numbers[raw.rowid >> 32] = record.session_id
            if wanted is None or wanted(record.session_id):
                self._insert(record.session_id, raw.rowid >> 32, record.seq, body.decode(), record)
        elif record is not None and isinstance(checksum, int) and (address := _address_in(body)) is not None:
            # Whole, and of a newer version.
            if wanted is None or wanted(address[0]):
                self._insert(address[0], raw.rowid >> 32, address[1], body.decode(), None)
        else:
            altered.append(raw.rowid)

    def _take_session(self, raw: RawRow, numbers: dict[int, SessionId], wanted: Wanted | None) -> bool:
        _, name, updated_at, _, _, summary, deleted_at, *_ = raw.values
        session_id = name.decode(errors="replace") if isinstance(name, bytes) else ""
        if not _is_session(session_id) or not isinstance(updated_at, int):
            return False
        numbers[raw.rowid] = SessionId(session_id)
        if wanted is not None and not wanted(SessionId(session_id)):
            return True
        told = _summary_in(summary) if isinstance(summary, bytes) else None
        at = deleted_at if isinstance(deleted_at, int) else None
        self._describe(SessionId(session_id), raw.rowid, at, told)
        return told is not None

    def _describe(
        self, session_id: SessionId, number: int | None, deleted_at: int | None, summary: SessionSummary | None
    ) -> None:
        found = self._session(session_id, number)
        found.deleted_at = found.deleted_at or deleted_at
        found.summary = found.summary or summary

    def _insert(
        self, session_id: SessionId, number: int | None, seq: int, body: str, record: EventRecord | None
    ) -> None:
        found = self._session(session_id, number)
        row = Row(body) if record is None else row_of(record, body)
        self.target.execute(
            "INSERT OR IGNORE INTO events (place, run_id, subject, body, checksum) VALUES (?, ?, ?, ?, ?)",
            (place(found.number, seq), row.run_id, row.subject, body, checksum_of(body)),
        )

    def _session(self, session_id: SessionId, number: int | None) -> _SessionFound:
        found = self._sessions.get(session_id)
        if found is None:
            found = self._sessions[session_id] = _SessionFound(self._number(session_id, number))
        return found

    def _number(self, session_id: SessionId, wished: int | None) -> int:
        """As it was where it came from, unless that is taken."""
        known = self.target.execute("SELECT number FROM sessions WHERE session_id = ?", (session_id,)).fetchone()
        if known is not None:
            return known[0]
        taken = self.target.execute("SELECT 1 FROM sessions WHERE number = ?", (wished,)).fetchone()
        created = self.target.execute(
            "INSERT INTO sessions (number, session_id, updated_at, words, summary) VALUES (?, ?, 0, '', '') "
            "RETURNING number",
            (None if taken else wished, session_id),
        )
        number: int = created.fetchone()[0]
        return number

    def _describe_from_log(self, session_id: SessionId, found: _SessionFound) -> None:
        lost = SessionSummary(session_id=session_id, title=_LOST_TITLE, created_at=moment(0), updated_at=moment(0))
        found.summary = summary_from_log(self.target, found.number) or found.summary or lost
        self.target.execute(
            "UPDATE sessions SET updated_at = ?, project = ?, words = ?, summary = ?, checksum = ?, "
            "deleted_at = coalesce(deleted_at, ?) WHERE number = ?",
            (*astuple(Preview.of(found.summary)), found.deleted_at, found.number),
        )

    def _count(self, found: _SessionFound) -> tuple[int, int]:
        """Records that are there, and the last seq."""
        span = (place(found.number, 0), place(found.number + 1, 0) - 1)
        count, last = self.target.execute(
            "SELECT count(*), max(place) FROM events WHERE place BETWEEN ? AND ? AND body != ''", span
        ).fetchone()
        return count, seq_at(last or 0)

    def _told(self) -> Salvaged:
        incomplete: list[Incomplete] = []
        records = 0
        for found in self._sessions.values():
            count, last = self._count(found)
            records += count
            missing = max(last, found.last_seq) - count
            if missing or not count:
                title = found.summary.title if found.summary else _LOST_TITLE
                incomplete.append(Incomplete(title, missing or 1))
        return Salvaged(len(self._sessions), records, tuple(incomplete))


def sessions_in(path: Path) -> Iterator[SessionId]:
    """Those that a file lists, whatever state it is in."""
    for raw in DatabasePages(path).rows():
        name = raw.values[1] if len(raw.values) in _SESSION_COLUMNS else None
        if isinstance(name, bytes) and _is_session(name.decode(errors="replace")):
            yield SessionId(name.decode())


def salvage_into(target: sqlite3.Connection, sources: Iterable[Path]) -> Salvaged:
    """The first source counts most; the others are copies of it, from which is taken what it no longer has.

    A session that only a copy has may have been removed for good since: it comes back only where the first source
    cannot tell.
    """
    salvage = Salvage(target)
    target.execute("BEGIN IMMEDIATE")
    with closing(_RollingBack(target)):
        wanted: Wanted | None = None
        for number, source in enumerate(sources):
            is_whole = salvage.take_file(source, wanted)
            if number == 0 and is_whole:
                wanted = salvage.known.__contains__
        told = salvage.finish()
        target.execute("COMMIT")
    return told


@dataclass(slots=True)
class _RollingBack:
    connection: sqlite3.Connection

    def close(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")


def _is_session(name: object) -> bool:
    return isinstance(name, str) and SessionId.admits(name)


def _summary_in(summary: bytes) -> SessionSummary | None:
    try:
        return SessionSummary.model_validate_json(summary, extra="ignore")
    except ValidationError:
        return None


def _address_in(body: bytes) -> tuple[SessionId, int] | None:
    try:
        data = from_json(body)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    fields = cast("dict[str, Any]", data)
    session_id, seq = fields.get("sessionId"), fields.get("seq")
    if isinstance(session_id, str) and SessionId.admits(session_id) and isinstance(seq, int) and seq > 0:
        return SessionId(session_id), seq
    return None


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
