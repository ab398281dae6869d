"""What the end of a server has interrupted, in whatever session: taken up when the next one starts."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import anyio

from teamwright.protocol.errors import UserError
from teamwright.protocol.ids import SessionId
from teamwright.runtime.services import Services


class Recovery:
    """Once in the life of a server, as soon as its store is open."""

    def __init__(self, take_up: Callable[[SessionId], Awaitable[None]]) -> None:
        """`take_up`: one session. Raises UserError where another process has it, or it cannot be written now."""
        self._take_up = take_up
        self._is_due = False
        self._done: anyio.Event | None = None

    def expect(self) -> None:
        """From now on: a server begins with it, a process that only does one thing does not."""
        self._is_due = True

    def begin(self, services: Services) -> None:
        """With the opened store, unless that has happened."""
        if self._is_due and self._done is None:
            self._done = anyio.Event()
            services.tasks.start_soon(self._run, services, self._done)

    async def wait(self) -> None:
        """Until it is known what was left behind, and asked about."""
        if self._done is not None:
            await self._done.wait()

    async def _run(self, services: Services, done: anyio.Event) -> None:
        try:
            with suppress(UserError):
                for session_id in await services.store.sessions_with_open_work():
                    # Another window's, or one that cannot be written just now: it is asked about when it is opened.
                    with suppress(UserError):
                        await self._take_up(session_id)
        finally:
            done.set()
