"""The store in SQLite: one database a workspace, one thread that writes, a few that read."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from teamwright.protocol.commands import SearchHit
from teamwright.protocol.decisions import Decision
from teamwright.protocol.errors import Conflict
from teamwright.protocol.events import SessionCreated
from teamwright.protocol.ids import DecisionId, FindingId, RunId, SessionId, TurnId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import SessionSummary
from teamwright.store import log
from teamwright.store.copying import LogCopy, forked
from teamwright.store.errors import StoreDamaged, store_error
from teamwright.store.home import DatabaseHome
from teamwright.store.importing import imported
from teamwright.store.locks import Owner, SessionLocks
from teamwright.store.opening import Opened, open_database
from teamwright.store.port import PAGE, LogPage, Purged, RunPlace
from teamwright.store.queries import (
    find_session,
    list_runs,
    list_sessions,
    open_decisions,
    search_texts,
    sessions_with_open_work,
    summary_of,
)
from teamwright.store.repair.copies import DatabaseCopies
from teamwright.store.rows import Preview, row_of, summary_in
from teamwright.store.schema import connect_read_only
from teamwright.store.threads import Readers, StoreWriter
from teamwright.store.transaction import Transaction, deleted_sessions, mark_deleted, purge_deleted, unmark_deleted

T = TypeVar("T")
DATABASE = "sessions.db"


class SqliteStore:
    """Implements `EventStore`. For one event loop; see `open`."""

    def __init__(self, path: Path, opened: Opened, owner: Owner, tell: Callable[[str], None] | None = None) -> None:
        self.notice = opened.notice
        self._path = path
        self._locks = SessionLocks(path.with_name("locks"), owner)
        self._writer = StoreWriter(opened, path, DatabaseHome(path, owner, self._locks), tell or _tell_nobody)
        self._readers = Readers(path)
        self._copies = DatabaseCopies(path)

    @classmethod
    async def open(cls, directory: Path, owner: Owner, tell: Callable[[str], None] | None = None) -> "SqliteStore":
        """`notice` of the store tells the user what had to be put aside, if anything; `tell` is given what has to be
        done about it later on."""
        path = directory / DATABASE
        return cls(path, await asyncio.to_thread(open_database, path, owner), owner, tell)

    async def claim(self, session_id: SessionId) -> int:
        def work(transaction: Transaction) -> int:
            head = transaction.head_of(session_id)
            self._locks.hold(session_id)
            return head.last_seq

        return await self._writer.run(work)

    async def release(self, session_id: SessionId) -> None:
        await self._writer.run(lambda _: self._locks.release(session_id))

    async def append(self, session_id: SessionId, records: Sequence[EventRecord]) -> tuple[EventRecord, ...]:
        for record in records:
            if not record.event.durable or record.seq is not None or record.session_id != session_id:
                raise ValueError(f"A {record.event.type} of {record.session_id} cannot be appended to {session_id}.")
        if not records:
            return ()
        return await self._writer.run(partial(self._append, session_id, records))

    async def last_seq(self, session_id: SessionId) -> int:
        return await self._read(lambda c: log.head_of(c, session_id).last_seq)

    async def read_after(
        self, session_id: SessionId, seq: int = 0, *, run_id: RunId | None = None, limit: int = PAGE
    ) -> LogPage:
        if run_id is not None:
            return await self._read(lambda c: log.page_of_run(c, session_id, run_id, seq, limit))
        return await self._read(lambda c: log.page_after(c, session_id, seq, limit))

    async def read_before(self, session_id: SessionId, seq: int | None = None, *, limit: int = PAGE) -> LogPage:
        return await self._read(lambda c: log.page_before(c, session_id, seq, limit))

    async def sessions(
        self,
        *,
        query: str | None = None,
        project: str | None = None,
        limit: int = 50,
        before: SessionId | datetime | None = None,
    ) -> tuple[SessionSummary, ...]:
        return await self._read(partial(list_sessions, query=query, project=project, limit=limit, before=before))

    async def summary(self, session_id: SessionId) -> SessionSummary:
        return await self._read(lambda c: summary_of(c, log.head_of(c, session_id).number))

    async def search(self, text: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        return await self._read(lambda c: search_texts(c, text, limit))

    async def find_session(self, thing: RunId | TurnId | DecisionId | FindingId) -> SessionId:
        return await self._read(lambda c: find_session(c, thing))

    async def runs(
        self, *, session_id: SessionId | None = None, project: str | None = None, limit: int = 50
    ) -> tuple[RunPlace, ...]:
        return await self._read(partial(list_runs, session_id=session_id, project=project, limit=limit))

    async def open_decisions(self) -> tuple[Decision, ...]:
        return await self._read(open_decisions)

    async def sessions_with_open_work(self) -> tuple[SessionId, ...]:
        return await self._read(sessions_with_open_work)

    async def delete(self, session_id: SessionId, at: datetime) -> None:
        def work(transaction: Transaction) -> None:
            head = transaction.head_of(session_id)
            with self._locks.held(session_id):
                mark_deleted(transaction.connection, head.number, at)
            transaction.forget_head(session_id)

        await self._writer.run(work)

    async def restore(self, session_id: SessionId) -> None:
        def work(transaction: Transaction) -> None:
            with self._locks.held(session_id):
                unmark_deleted(transaction.connection, session_id)
            transaction.forget_head(session_id)

        await self._writer.run(work)

    async def purge(self, deleted_before: datetime) -> Purged:
        deleted = await self._read(lambda c: deleted_sessions(c, deleted_before))
        # One transaction each, so that others get their turn in between.
        purged = [await self._writer.run(partial(self._purge, session_id, deleted_before)) for session_id in deleted]
        gone = [runs for runs in purged if runs is not None]
        return Purged(sessions=len(gone), runs=tuple(run_id for runs in gone for run_id in runs))

    async def fork(self, source: SessionId, target: SessionId, at: datetime, *, at_seq: int | None = None) -> int:
        def read(connection: sqlite3.Connection) -> LogCopy:
            summary = summary_of(connection, log.head_of(connection, source).number)
            return forked(log.bodies(connection, source, at_seq), summary, target, at)

        return await self._begin(target, await self._read(read))

    async def export_log(self, session_id: SessionId) -> tuple[str, ...]:
        bodies = await self._read(lambda c: log.bodies(c, session_id))
        return tuple(body.decode(errors="replace") for body in bodies)

    async def import_log(self, session_id: SessionId, exported: Sequence[str], at: datetime) -> int:
        return await self._begin(session_id, await asyncio.to_thread(imported, exported, session_id, at))

    async def keep_daily_copy(self, today: date) -> list[str]:
        """Tells what is amiss with the database, in sentences; of one that is whole there is a copy afterwards."""
        try:
            return await asyncio.to_thread(self._copies.keep_daily, today)
        except (sqlite3.Error, OSError) as fault:
            raise store_error(fault, self._path) from fault

    async def close(self) -> None:
        self._copies.leave()
        await self._readers.close()
        # Last, because whoever closes last also tidies up the write-ahead log.
        await self._writer.close()
        self._locks.release_all()

    async def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """What a broken page keeps from being read is mended by the writer first, as far as it can be."""
        try:
            return await self._readers.run(query)
        except StoreDamaged:
            await self._writer.run(lambda transaction: query(transaction.connection))
            return await self._readers.run(query)

    def _append(
        self, session_id: SessionId, records: Sequence[EventRecord], transaction: Transaction
    ) -> tuple[EventRecord, ...]:
        head = transaction.find_head(session_id)
        if head is None and not isinstance(records[0].event, SessionCreated):
            raise log.no_such(session_id)
        self._locks.hold(session_id)
        described = [summary for record in records if (summary := summary_in(record.event))]
        if head is None:
            head = transaction.create_session(session_id, Preview.of(described[-1]))
        elif described:
            transaction.update_preview(head, Preview.of(described[-1]))
        numbered = [record.model_copy(update={"seq": seq}) for seq, record in enumerate(records, head.last_seq + 1)]
        transaction.append(session_id, [row_of(record) for record in numbered])
        return tuple(numbered)

    async def _begin(self, session_id: SessionId, copy: LogCopy) -> int:
        def work(transaction: Transaction) -> int:
            self._locks.hold(session_id)
            transaction.create_session(session_id, Preview.of(copy.summary))
            transaction.append(session_id, copy.rows)
            return len(copy.rows)

        return await self._writer.run(work)

    def _purge(
        self, session_id: SessionId, deleted_before: datetime, transaction: Transaction
    ) -> tuple[RunId, ...] | None:
        try:
            with self._locks.held(session_id):
                transaction.flush()
                return purge_deleted(transaction.connection, session_id, deleted_before)
        except Conflict:
            return None


def _tell_nobody(_text: str) -> None:
    pass


def has_open_work(directory: Path) -> bool:
    """Whether a turn or a run has begun there and not ended. The store need not be open, or be there at all."""
    path = directory / DATABASE
    if not path.exists():
        return False
    try:
        with closing(connect_read_only(path)) as connection:
            return bool(sessions_with_open_work(connection))
    except sqlite3.Error:
        # Whoever opens it is told what is amiss.
        return True
