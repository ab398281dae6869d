"""Waiting across threads and event loops: the server has its own loop, the tests have theirs or none."""

import asyncio
import threading
from concurrent.futures import Future
from urllib.parse import quote

from tests.support.patience import PATIENCE_SECONDS


class Tally:
    """Counts occurrences. Any thread may add one; any event loop or thread may wait until there are enough."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.count = 0
        self._lock = threading.Lock()
        self._waiters: list[tuple[int, Future[None]]] = []

    def add(self) -> None:
        with self._lock:
            self.count += 1
            due = [waiter for wanted, waiter in self._waiters if wanted <= self.count]
            self._waiters = [(wanted, waiter) for wanted, waiter in self._waiters if wanted > self.count]
        for waiter in due:
            # False for a waiter that has given up: its result must not be set.
            if waiter.set_running_or_notify_cancel():
                waiter.set_result(None)

    async def reaches(self, count: int = 1, timeout: float | None = PATIENCE_SECONDS) -> None:  # noqa: ASYNC109 - says what was missing
        try:
            await asyncio.wait_for(asyncio.wrap_future(self._waiter(count)), timeout)
        except TimeoutError:
            raise self._too_few(count, timeout) from None

    def wait(self, count: int = 1, timeout: float = PATIENCE_SECONDS) -> None:
        try:
            self._waiter(count).result(timeout)
        except TimeoutError:
            raise self._too_few(count, timeout) from None

    def _waiter(self, count: int) -> Future[None]:
        waiter: Future[None] = Future()
        with self._lock:
            if self.count >= count:
                waiter.set_result(None)
            else:
                self._waiters.append((count, waiter))
        return waiter

    def _too_few(self, count: int, timeout: float | None) -> AssertionError:
        return AssertionError(f"{self.what}: {self.count} of {count} within {timeout} s")


class Gate:
    """A point where replies wait until the test lets them go on, so that a test can prove an order without a clock."""

    def __init__(self, name: str, server_url: str) -> None:
        self.name = name
        self.url = f"{server_url}/control/gates/{quote(name, safe='')}"
        self._arrivals = Tally(f"replies waiting at gate {name!r}")
        self._opened = Tally(f"openings of gate {name!r}")

    @property
    def arrivals(self) -> int:
        return self._arrivals.count

    async def reached(self, times: int = 1) -> None:
        """Returns as soon as so many replies have come to this gate."""
        await self._arrivals.reaches(times)

    def wait_reached(self, times: int = 1) -> None:
        """`reached` for a test without an event loop."""
        self._arrivals.wait(times)

    def release(self) -> None:
        """Opens the gate for good: for those that wait and for those still to come."""
        self._opened.add()

    async def passage(self) -> None:
        """The replies' side: arrive, and wait for the release however long the test takes."""
        self._arrivals.add()
        await self._opened.reaches(1, timeout=None)
