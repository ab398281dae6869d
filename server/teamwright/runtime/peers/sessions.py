"""Sessions that another process writes to, as our clients see them: read from the log there, and never touched.

Views are computed here, because only facts cross over.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio

from teamwright.engine.run.view import view
from teamwright.engine.transcript.session import SessionTranscript
from teamwright.protocol.errors import TeamwrightError
from teamwright.protocol.events import FindingsUpdated, RunUpdated
from teamwright.protocol.ids import RunId, SessionId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import SessionView
from teamwright.runtime.bus import Bus, Listener
from teamwright.runtime.identity import now
from teamwright.runtime.peers.processes import LogGrowth
from teamwright.runtime.reviews.findings_feed import changes_findings
from teamwright.runtime.runs.view_feed import INTERVAL_SECONDS
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.reading import SessionRead, read_session
from teamwright.runtime.sessions.state_cell import SessionStateCell
from teamwright.runtime.throttle import Throttle
from teamwright.store.port import stream


class PeerView:
    def __init__(self, cell: SessionStateCell, transcript: SessionTranscript, bus: Bus) -> None:
        self._cell = cell
        self.transcript = transcript
        self._bus = bus
        # By the last record of each run that has changed since it was drawn.
        self._changed: dict[RunId, EventRecord] = {}
        self._throttle = Throttle(INTERVAL_SECONDS, self._draw)

    def fold(self, record: EventRecord) -> None:
        """Before the record is told."""
        if record.seq is None or record.seq > self._cell.last_seq:
            self._cell.fold(record)
            self.transcript.fold(record)

    def see(self, record: EventRecord) -> None:
        """Behind the record itself: clients hear of a fact first, and then see it drawn."""
        if record.run_id is not None and record.run_id in self._cell.runs:
            self._changed[record.run_id] = record
            self._throttle.nudge()
        if changes_findings(record.event):
            self.show_findings()

    def end(self) -> None:
        """With a last word, so that no older one comes behind those of whoever goes on."""
        self._throttle.settle()

    def show_findings(self) -> None:
        if findings := self._cell.findings():
            drawn = FindingsUpdated(findings=findings)
            self._bus.relay(EventRecord(seq=None, at=now(), session_id=self._cell.session_id, event=drawn))

    def _draw(self) -> None:
        for run_id, record in self._changed.items():
            drawn = RunUpdated(run=view(self._cell.runs[run_id]))
            # It belongs to what the record belongs to, but for the agent.
            self._bus.relay(record.model_copy(update={"seq": None, "at": now(), "agent_id": None, "event": drawn}))
        self._changed.clear()


class PeerSessions:
    def __init__(self, services: Callable[[], Awaitable[Services]], is_ours: Callable[[SessionId], bool]) -> None:
        self._services = services
        self._is_ours = is_ours
        # Held while our clients are told, so that nothing is told twice or left out.
        self._telling = anyio.Lock()
        self._told_up_to: dict[SessionId, int] = {}
        # Of those that our clients have open.
        self._onlooking: dict[SessionId, PeerView] = {}
        self._heard: dict[SessionId, LogGrowth] = {}
        self._has_news = anyio.Event()

    def __contains__(self, session_id: object) -> bool:
        return session_id in self._told_up_to

    def transcript(self, session_id: SessionId) -> SessionTranscript | None:
        """Of one that our clients have open."""
        view = self._onlooking.get(session_id)
        return None if view is None else view.transcript

    def hear(self, news: LogGrowth) -> None:
        """What a peer says."""
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
                    await self._tell(await self._services(), news)
                except TeamwrightError:
                    # It was deleted meanwhile, or cannot be read now: whoever opens it is told why.
                    continue

    async def opened(
        self, session_id: SessionId, listener: Listener, after_seq: int | None
    ) -> tuple[SessionView, tuple[EventRecord, ...], bool]:
        """The view, what came after `after_seq`, and whether there is more; notifications go on exactly behind it."""
        services = await self._services()
        async with self._telling:
            read = await self._read(services, session_id, after_seq)
            services.bus.subscribe(listener, session_id)
            self._told_up_to[session_id] = read.cell.last_seq
            self._look_on(services, session_id, read).show_findings()
            return read.cell.view(), read.events, read.more

    @asynccontextmanager
    async def handed_over(self, session_id: SessionId) -> AsyncGenerator[None]:
        """While we become its writer. What its last writer did not live to tell is told first.

        Raises Conflict where it is still there.
        """
        async with self._telling:
            if session_id in self._onlooking:
                services = await self._services()
                await services.store.claim(session_id)
                await self._tell_behind(services, session_id, self._told_up_to[session_id])
            self._look_away(session_id)
            told = self._told_up_to.pop(session_id, None)
            try:
                yield
            except TeamwrightError:
                if told is not None:
                    self._told_up_to[session_id] = told
                raise

    async def _tell(self, services: Services, news: LogGrowth) -> None:
        async with self._telling:
            session_id = news.session_id
            if self._is_ours(session_id):
                return
            told = self._told_up_to.get(session_id)
            if services.bus.is_heard(session_id):
                if session_id not in self._onlooking:
                    # It was ours, and our clients still have it open.
                    self._look_on(services, session_id, await self._read(services, session_id))
                await self._tell_behind(services, session_id, news.seq - 1 if told is None else told)
            elif news.seq_for_all is not None:
                self._look_away(session_id)
                await self._tell_behind(services, session_id, max(told or 0, news.seq_for_all - 1))

    async def _tell_behind(self, services: Services, session_id: SessionId, seq: int) -> None:
        self._told_up_to[session_id] = seq
        onlooking = self._onlooking.get(session_id)
        async for page in stream(services.store, session_id, after=seq):
            for record in page.records:
                if onlooking is not None:
                    onlooking.fold(record)
                services.bus.relay(record)
                if onlooking is not None:
                    onlooking.see(record)
            self._told_up_to[session_id] = page.last_seq or seq

    async def _read(self, services: Services, session_id: SessionId, after_seq: int | None = None) -> SessionRead:
        return await read_session(services.store, session_id, after_seq, services.name_of)

    def _look_on(self, services: Services, session_id: SessionId, read: SessionRead) -> PeerView:
        self._look_away(session_id)
        self._onlooking[session_id] = PeerView(read.cell, read.transcript, services.bus)
        return self._onlooking[session_id]

    def _look_away(self, session_id: SessionId) -> None:
        onlooking = self._onlooking.pop(session_id, None)
        if onlooking is not None:
            onlooking.end()
