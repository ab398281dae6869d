"""Sessions that another process writes to, as our clients see them: read from the log there, and never touched."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio

from quorate.protocol.errors import QuorateError
from quorate.protocol.ids import SessionId
from quorate.protocol.records import EventRecord
from quorate.protocol.views import SessionView
from quorate.runtime.bus import Listener
from quorate.runtime.house import House
from quorate.runtime.neighbours import News
from quorate.runtime.onlooking import Onlooking
from quorate.runtime.reading import read_session
from quorate.runtime.session_state import SessionState
from quorate.store.port import stream


class ForeignSessions:
    def __init__(self, house: Callable[[], Awaitable[House]], is_ours: Callable[[SessionId], bool]) -> None:
        self._house = house
        self._is_ours = is_ours
        # Held while our clients are told, so that nothing is told twice or left out.
        self._telling = anyio.Lock()
        self._told_up_to: dict[SessionId, int] = {}
        # Of those that our clients have open.
        self._onlooking: dict[SessionId, Onlooking] = {}
        self._heard: dict[SessionId, News] = {}
        self._has_news = anyio.Event()

    def __contains__(self, session_id: object) -> bool:
        return session_id in self._told_up_to

    def hear(self, news: News) -> None:
        """What a neighbour says."""
        before = self._heard.get(news.session_id)
        self._heard[news.session_id] = news if before is None else before.followed_by(news)
        self._has_news.set()

    async def follow(self) -> None:
        """Tells our clients of what was heard, for as long as we work."""
        while True:
            await self._has_news.wait()
            self._has_news = anyio.Event()
            while self._heard:
                news = self._heard.pop(next(iter(self._heard)))
                try:
                    await self._tell(await self._house(), news)
                except QuorateError:
                    # It was deleted meanwhile, or cannot be read now: whoever opens it is told why.
                    continue

    async def opened(
        self, session_id: SessionId, listener: Listener, after_seq: int | None
    ) -> tuple[SessionView, tuple[EventRecord, ...], bool]:
        """The view, what came after `after_seq`, and whether there is more; notifications go on exactly behind it."""
        house = await self._house()
        async with self._telling:
            read = await read_session(house.store, session_id, after_seq)
            house.bus.subscribe(listener, session_id)
            self._told_up_to[session_id] = read.state.last_seq
            self._look_on(house, session_id, read.state).show_findings()
            return read.state.view(), read.events, read.more

    @asynccontextmanager
    async def handed_over(self, session_id: SessionId) -> AsyncGenerator[None]:
        """While we become its writer. What its last writer did not live to tell is told first.

        Raises Conflict where it is still there.
        """
        async with self._telling:
            if session_id in self._onlooking:
                house = await self._house()
                await house.store.claim(session_id)
                await self._tell_behind(house, session_id, self._told_up_to[session_id])
            self._look_away(session_id)
            told = self._told_up_to.pop(session_id, None)
            try:
                yield
            except QuorateError:
                if told is not None:
                    self._told_up_to[session_id] = told
                raise

    async def _tell(self, house: House, news: News) -> None:
        async with self._telling:
            session_id = news.session_id
            if self._is_ours(session_id):
                return
            told = self._told_up_to.get(session_id)
            if house.bus.is_heard(session_id):
                if session_id not in self._onlooking:
                    # It was ours, and our clients still have it open.
                    self._look_on(house, session_id, (await read_session(house.store, session_id)).state)
                await self._tell_behind(house, session_id, news.seq - 1 if told is None else told)
            elif news.seq_for_all is not None:
                self._look_away(session_id)
                await self._tell_behind(house, session_id, max(told or 0, news.seq_for_all - 1))

    async def _tell_behind(self, house: House, session_id: SessionId, seq: int) -> None:
        self._told_up_to[session_id] = seq
        onlooking = self._onlooking.get(session_id)
        async for page in stream(house.store, session_id, after=seq):
            for record in page.records:
                house.bus.relay(record)
                if onlooking is not None:
                    onlooking.see(record)
            self._told_up_to[session_id] = page.last_seq or seq

    def _look_on(self, house: House, session_id: SessionId, state: SessionState) -> Onlooking:
        self._look_away(session_id)
        self._onlooking[session_id] = Onlooking(state, house.bus)
        return self._onlooking[session_id]

    def _look_away(self, session_id: SessionId) -> None:
        onlooking = self._onlooking.pop(session_id, None)
        if onlooking is not None:
            onlooking.end()
