"""The one thread that writes, and the few that read. What arrives while it commits is committed together after that."""

import asyncio
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from teamwright.store.errors import store_closed, store_error
from teamwright.store.opening import connect
from teamwright.store.transaction import Transaction

T = TypeVar("T")
Work = Callable[[Transaction], T]
_MAX_WAITING = 1024
_THREADS = 2


@dataclass(frozen=True, slots=True)
class _Job:
    work: Work[Any]
    done: asyncio.Future[Any]


class StoreWriter:
    """For one event loop. The connection is the thread's alone until `close`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
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
        self._connection.close()

    def _commit_next(self) -> None:
        if self._alone:
            group = [self._alone.popleft()]
        else:
            group, self._waiting = self._waiting, []
        if not group:
            self._idle.set()
            return
        commit = asyncio.get_running_loop().run_in_executor(self._thread, self._commit, [job.work for job in group])
        commit.add_done_callback(partial(self._settle, group))

    def _settle(self, group: Sequence[_Job], commit: asyncio.Future[list[Any]]) -> None:
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
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            transaction = Transaction(self._connection)
            results = [work(transaction) for work in group]
            transaction.flush()
            self._connection.execute("COMMIT")
            return results
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


class Readers:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="teamwright-reader")
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
        if connection is None:
            connection = connect(self._path)
            connection.execute("PRAGMA query_only = ON")
            self._own.connection = connection
            self._opened.append(connection)
        return connection
