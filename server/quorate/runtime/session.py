"""A session: one log, and everything that is folded from it or writes to it."""

from collections.abc import Collection
from typing import Any

import anyio

from quorate.config.settings import InteractiveSettings
from quorate.protocol.decisions import Resolution
from quorate.protocol.errors import Conflict, NotFound, UserError
from quorate.protocol.events import (
    DecisionRequested,
    DecisionResolved,
    FindingDismissed,
    NoticeRaised,
    RunFinished,
    RunStarted,
    SessionCompacted,
    SessionCreated,
    SessionUpdated,
    TurnFinished,
    TurnStarted,
)
from quorate.protocol.ids import DecisionId, FindingId, SessionId
from quorate.protocol.modes import Modes
from quorate.protocol.records import EventRecord
from quorate.protocol.views import SessionSummary, SessionView
from quorate.runtime.activity import is_at_work
from quorate.runtime.answering import Answering
from quorate.runtime.burst import BURST_SECONDS
from quorate.runtime.bus import Listener
from quorate.runtime.compacting import Compacting
from quorate.runtime.context.context import Context
from quorate.runtime.decisions import Decisions
from quorate.runtime.house import House
from quorate.runtime.identity import now
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.open_turns import OpenTurns
from quorate.runtime.projects.keeping import SessionProject
from quorate.runtime.reading import EVENTS_AT_ONCE
from quorate.runtime.reviews.findings_feed import FindingsFeed
from quorate.runtime.running_cost import RunningCost
from quorate.runtime.runs.defaults import session_budget
from quorate.runtime.runs.desk import RunDesk
from quorate.runtime.session_budget import SessionBudget
from quorate.runtime.session_state import SessionState
from quorate.runtime.time_at_work import TimeAtWork
from quorate.runtime.turns import Turns
from quorate.store.port import stream

_TITLE_LENGTH = 60
# What changes how a session looks in the browser.
_LISTED = (
    TurnStarted | TurnFinished | RunStarted | RunFinished | DecisionRequested | DecisionResolved | SessionCompacted
)


class Session:
    def __init__(self, house: House, session_id: SessionId, modes: Modes | None = None) -> None:
        self.session_id = session_id
        self._house = house
        self._journal = Journal(session_id, house.store, house.bus)
        self._context = Context(lambda: house.team.settings, house.live, trusted=lambda: house.premises.trusted)
        self.decisions = Decisions(self._journal)
        self._is_relisting = False
        self._is_deleted = False
        self.state = SessionState(session_id)
        self.last_used = anyio.current_time()
        self._findings = FindingsFeed(self._journal, self.state.findings)
        for fold in (self.state.fold, self._context.fold, self.decisions.fold, self._findings.fold, self.touch):
            self._journal.fold_into(fold)
        self._journal.show_to(self.state.see)
        running_cost = RunningCost(lambda: self.state.spending)
        time_at_work = TimeAtWork(lambda: self.is_at_work)
        budget = SessionBudget(
            self._journal,
            self.decisions,
            configured=lambda: session_budget(house.team.settings),
            spending=lambda: running_cost.total,
            time=time_at_work,
            modes=lambda: self.modes,
        )
        for fold in (running_cost.fold, time_at_work.fold, budget.fold):
            self._journal.fold_into(fold)
        self._journal.show_to(running_cost.see)
        self.state.modes = modes or house.team.default_modes
        project = SessionProject(
            house, lambda: self.state.project, lambda name: self.relist(project=name), self._context.own_directory
        )
        self.runs = RunDesk(
            house,
            self._journal,
            self.decisions,
            runs=self.state.runs,
            modes=lambda: self.modes,
            history=self._context.history,
            project=project,
            budget=budget,
        )
        answering = Answering(
            house,
            self._journal,
            context=self._context,
            decisions=self.decisions,
            runs=self.runs,
            state=self.state,
            project=project,
            budget=budget,
        )
        self.compacting = Compacting(self._journal, self._context, self.state, answering.assistant)
        self.turns = Turns(self._journal, self._context, answering.answer, self.decisions, house.tasks)

    @property
    def modes(self) -> Modes:
        return self.state.modes

    @property
    def settings(self) -> InteractiveSettings:
        return self._house.team.settings.orchestrator.interactive_mode

    @property
    def is_at_work(self) -> bool:
        return is_at_work(self.state, (pending.scope for pending in self.decisions.pending.values()))

    def touch(self, record: EventRecord | None = None) -> None:
        """It is in use: with every record, and whenever somebody looks for it."""
        del record
        self.last_used = anyio.current_time()

    @classmethod
    async def load(cls, house: House, session_id: SessionId) -> "Session":
        """From its log, as its only writer. Raises NotFound, and Conflict with the owner in another window."""
        await house.store.claim(session_id)
        session = cls(house, session_id)
        open_turns = OpenTurns()
        async for page in stream(house.store, session_id):
            for record in page.records:
                session.runs.recall(record)
                session._journal.replay(record)
                open_turns.fold(record)
            for damaged in page.damaged:
                session._journal.announce(NoticeRaised(level="warning", text=damaged.reason), Scope())
        session.keep_listed()
        await session.runs.take_up()
        await session.turns.take_up(open_turns)
        return session

    async def create(self, about: str, project: str | None = None) -> None:
        at = now()
        title = " ".join(about.split())[:_TITLE_LENGTH]
        summary = SessionSummary(
            session_id=self.session_id,
            title=title,
            project=project,
            created_at=at,
            updated_at=at,
            modes=self.modes,
        )
        await self._journal.append(SessionCreated(session=summary), Scope())
        self.keep_listed()

    def keep_listed(self) -> None:
        """From now on what the session browser shows follows what happens."""
        self._journal.fold_into(self._relist)

    async def opened(
        self, listener: Listener, after_seq: int | None
    ) -> tuple[SessionView, tuple[EventRecord, ...], bool]:
        """The view, what came after `after_seq`, and whether there is more; notifications go on exactly behind it."""
        async with self._journal.undisturbed():
            page = None
            if after_seq is not None:
                page = await self._house.store.read_after(self.session_id, after_seq, limit=EVENTS_AT_ONCE)
            self._house.bus.subscribe(listener, self.session_id)
            view = self.state.view()
        self._findings.show()
        return view, page.records if page else (), page.more if page else False

    async def dismiss(self, finding_ids: Collection[FindingId]) -> None:
        """For good. Raises NotFound for what is not, or no longer, a finding of this session."""
        called = self.state.ids_called(finding_ids)
        if missing := [finding_id for finding_id in finding_ids if finding_id not in called]:
            raise NotFound(f"There is no finding {missing[0]} in this session.")
        if new := called - self.state.dismissed:
            await self._journal.append(FindingDismissed(finding_ids=tuple(sorted(new))), Scope())

    async def switch(self, change: Modes) -> Modes:
        """Raises Conflict while something is under way by the modes as they are."""
        async with self._journal.undisturbed() as append:
            modes = self.modes.changed_by(change)
            if modes != self.modes:
                if self.state.is_busy:
                    raise Conflict("This session is at work: change its modes when it is done, or cancel it first.")
                await append(SessionUpdated(session=self.state.summary().model_copy(update={"modes": modes})), Scope())
        return self.modes

    async def relist(self, *, title: str | None = None, project: str | None = None) -> SessionSummary:
        """Puts down what the session browser shows, with a new title or for another project if there is one."""
        async with self._journal.undisturbed() as append:
            told = {"title": title, "project": project}
            summary = self.state.summary().model_copy(
                update={name: value for name, value in told.items() if value is not None}
            )
            await append(SessionUpdated(session=summary), Scope())
        return self.state.summary()

    async def delete(self) -> None:
        """Out of sight, with a way back. Raises Conflict while something of it is at work or waits for a person."""
        async with self._journal.undisturbed():
            if self.state.is_busy:
                raise Conflict("This session is at work: cancel what it does, or let it finish, then delete it.")
            await self._house.store.delete(self.session_id, now())
            self._is_deleted = True

    def _relist(self, record: EventRecord) -> None:
        if isinstance(record.event, _LISTED) and not self._is_relisting:
            self._is_relisting = True
            # A run's agents are to be at work first.
            self._house.tasks.start_soon(
                self._append_update, BURST_SECONDS if isinstance(record.event, RunStarted) else 0
            )

    async def _append_update(self, delay: float) -> None:
        await anyio.sleep(delay)
        self._is_relisting = False
        try:
            await self.relist()
        except UserError as fault:
            # The browser's line is stale until there is something new to say; nothing else depends on it.
            if not self._is_deleted:
                self._journal.announce(NoticeRaised(level="warning", text=fault.message), Scope())

    async def approve(
        self, decision_id: DecisionId, choice: str, edits: dict[str, Any] | None, instructions: str | None
    ) -> Resolution:
        await self.runs.check_edits(decision_id, edits)
        return await self.decisions.resolve(decision_id, choice, by="user", edits=edits, text=instructions)
