"""The one thread that writes, and the few that read. What arrives while it commits is committed together after that.

Before anything is acknowledged it is made sure that it was written where it will be looked for: a file that was deleted
or replaced while we had it open takes what is written without a complaint.
"""

import asyncio
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TypeVar

from teamwright.store.errors import is_damage, store_closed, store_error
from teamwright.store.opening import FileIdentity, Opened
from teamwright.store.schema import connect
from teamwright.store.transaction import Transaction

T = TypeVar("T")
Work = Callable[[Transaction], T]
_MAX_WAITING = 1024
_THREADS = 2


@dataclass(frozen=True, slots=True)
class _Job:
    work: Work[Any]
    done: asyncio.Future[Any]


class Home(Protocol):
    """Where the database belongs, and what is done when it is not there any more, or not what it was."""

    def is_left(self, identity: FileIdentity | None) -> bool:
        """Whether the file that we have open is no longer the one at its path."""
        ...

    def moved_back(self, stray: Opened) -> Opened:
        """What we have open is at its path again, with all that it held. Raises StoreError."""
        ...

    def mended(self, damaged: Opened, attempt: int) -> Opened | None:
        """After as many attempts in vain; None when there is nothing more to try. Raises StoreError."""
        ...


class StoreWriter:
    """For one event loop. The connection is the thread's alone until `close`."""

    def __init__(self, opened: Opened, path: Path, home: Home, tell: Callable[[str], None]) -> None:
        """`tell` is given what the user should know of the database, in sentences, on the event loop."""
        self._opened = opened
        self._path = path
        self._home = home
        self._tell = tell
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="teamwright-writer")
        self._room = asyncio.Semaphore(_MAX_WAITING)
        self._waiting: list[_Job] = []
        # Jobs of a group that failed: each gets its own transaction, so that one cannot spoil the others.
        self._alone: deque[_Job] = deque()
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False

    async def run(self, work: Work[T]) -> T:
        """Answers when what the work wrote is on disk. An exception takes back all that the work did.

        Cancelling the caller does not stop the work. Work may be called twice, the first time in vain, and must not
        wait for anything but the database.
        """
        async with self._room:
            if self._closed:
                raise store_closed()
            done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            self._waiting.append(_Job(work, done))
            if self._idle.is_set():
                self._idle.clear()
                # Not at once: whoever else is about to write in this round of the loop comes along.
                asyncio.get_running_loop().call_soon(self._commit_next)
            return await done

    async def close(self) -> None:
        """What was asked for before is finished first."""
        self._closed = True
        await self._idle.wait()
        await asyncio.to_thread(self._shut_down)

    def _shut_down(self) -> None:
        self._thread.shutdown()
        self._opened.connection.close()

    def _commit_next(self) -> None:
        if self._alone:
            group = [self._alone.popleft()]
        else:
            group, self._waiting = self._waiting, []
        if not group:
            self._idle.set()
            return
        before = self._opened
        commit = asyncio.get_running_loop().run_in_executor(self._thread, self._commit, [job.work for job in group])
        commit.add_done_callback(partial(self._settle, group, before))

    def _settle(self, group: Sequence[_Job], before: Opened, commit: asyncio.Future[list[Any]]) -> None:
        if self._opened is not before and self._opened.notice:
            self._tell(self._opened.notice)
        fault = commit.exception()
        if fault is None:
            for job, result in zip(group, commit.result(), strict=True):
                if not job.done.done():
                    job.done.set_result(result)
        elif len(group) > 1 and not isinstance(fault, sqlite3.OperationalError):
            self._alone.extend(group)
        else:
            # The disk's fault, and so everybody's; or that of the only one.
            for job in group:
                if not job.done.done():
                    job.done.set_exception(self._explained(fault))
        self._commit_next()

    def _explained(self, fault: BaseException) -> BaseException:
        return store_error(fault, self._path) if isinstance(fault, sqlite3.Error | OSError) else fault

    def _commit(self, group: Sequence[Work[Any]]) -> list[Any]:
        self._return_home()
        results = self._transact_mended(group)
        # Whoever deleted it meanwhile has not deleted what we have in our hands.
        self._return_home()
        return results

    def _return_home(self) -> None:
        if self._home.is_left(self._opened.identity):
            self._replace(self._home.moved_back(self._opened))

    def _transact_mended(self, group: Sequence[Work[Any]]) -> list[Any]:
        for attempt in count():
            try:
                return self._transact(group)
            except sqlite3.DatabaseError as fault:
                if not is_damage(fault):
                    raise
                mended = self._home.mended(self._opened, attempt)
                if mended is None:
                    raise
                self._replace(mended)
        raise AssertionError

    def _replace(self, opened: Opened) -> None:
        if opened.connection is not self._opened.connection:
            self._opened.connection.close()
        self._opened = opened

    def _transact(self, group: Sequence[Work[Any]]) -> list[Any]:
        connection = self._opened.connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            transaction = Transaction(connection)
            results = [work(transaction) for work in group]
            transaction.flush()
            connection.execute("COMMIT")
            return results
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


class Readers:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="teamwright-reader")
        # Of each thread its own: a connection, and which file it has open.
        self._own = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._closed = False

    async def run(self, query: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise store_closed()
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, query)

    async def close(self) -> None:
        self._closed = True
        await asyncio.to_thread(self._shut_down)

    def _shut_down(self) -> None:
        self._threads.shutdown()
        for connection in self._opened:
            connection.close()

    def _run(self, query: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return query(self._connection())
        except sqlite3.Error as fault:
            raise store_error(fault, self._path) from fault

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._own, "connection", None)
        identity = FileIdentity.at(self._path)
        # Where it is gone, what is open can still be read; the writer sees to the rest.
        if connection is not None and identity is not None and identity != self._own.identity:
            self._opened.remove(connection)
            connection.close()
            connection = None
        if connection is None:
            connection = connect(self._path)
            connection.execute("PRAGMA query_only = ON")
            self._own.connection, self._own.identity = connection, identity
            self._opened.append(connection)
        return connection
