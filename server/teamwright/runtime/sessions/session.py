"""A session: one log, and everything that is folded from it or writes to it."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from teamwright.config.settings import InteractiveSettings
from teamwright.engine.session.admission import refusal_of_deletion, refusal_of_modes, title_of
from teamwright.engine.session.state import SessionState
from teamwright.engine.session.view import ids_called
from teamwright.engine.transcript.fold import Sources
from teamwright.engine.transcript.session import SessionTranscript
from teamwright.protocol.decisions import Resolution
from teamwright.protocol.errors import NotFound
from teamwright.protocol.events import FindingDismissed, NoticeRaised, SessionCreated, SessionUpdated
from teamwright.protocol.ids import DecisionId, FindingId, SessionId
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import EventRecord, Scope
from teamwright.protocol.views import SessionSummary, SessionView
from teamwright.runtime.bus import Listener
from teamwright.runtime.context.context import Context
from teamwright.runtime.identity import now
from teamwright.runtime.journal import Journal
from teamwright.runtime.projects.keeping import SessionProject
from teamwright.runtime.reviews.findings_feed import FindingsFeed
from teamwright.runtime.runs.registry import RunRegistry
from teamwright.runtime.runs.specification import session_budget
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.compacting import Compacting
from teamwright.runtime.sessions.conductor import SessionConductor
from teamwright.runtime.sessions.decisions import Decisions
from teamwright.runtime.sessions.reading import EVENTS_AT_ONCE, nothing_is_garbage
from teamwright.runtime.sessions.run_lessons import RunLessons
from teamwright.runtime.sessions.session_budget import SessionBudget
from teamwright.runtime.sessions.state_cell import SessionStateCell
from teamwright.runtime.sessions.tasks import SessionTasks
from teamwright.runtime.sessions.turn_answerer import TurnAnswerer
from teamwright.runtime.sessions.turns import Turns
from teamwright.store.port import stream


class Session:
    def __init__(self, services: Services, session_id: SessionId, modes: Modes | None = None) -> None:
        self.session_id = session_id
        self._services = services
        self._journal = Journal(session_id, services.store, services.bus)
        self._context = Context(
            lambda: services.team.settings, services.live, trusted=lambda: services.client_context.trusted
        )
        # What was amiss with its log, until somebody listens.
        self._unsaid: list[str] = []
        self.cell = SessionStateCell(session_id, modes or services.team.default_modes)
        self.decisions = Decisions(self._journal, self.cell, services.tool_choices)
        self._findings = FindingsFeed(self._journal, self.cell.findings)
        for fold in (self.cell.fold, self._context.fold, self.decisions.hear, self._findings.hear):
            self._journal.fold_into(fold)
        self._journal.show_to(self.cell.see)
        self.transcript = SessionTranscript(Sources(services.name_of, self.cell.runs.get))
        self._journal.fold_into(self.transcript.fold)
        self._journal.show_to(self.transcript.see)
        budget = SessionBudget(self._journal, self.decisions, self.cell, lambda: session_budget(services.team.settings))
        project = SessionProject(
            services,
            lambda: self.state.heading.project,
            lambda name: self.relist(project=name),
            lambda: self._context.own_directory,
        )
        self.runs = RunRegistry(
            services,
            self._journal,
            self.decisions,
            runs=self.cell.runs,
            modes=lambda: self.state.modes,
            context=self._context,
            project=project,
            budget=budget,
        )
        self.tasks = SessionTasks(self._journal, self.cell)
        answering = TurnAnswerer(
            services,
            self._journal,
            context=self._context,
            decisions=self.decisions,
            runs=self.runs,
            cell=self.cell,
            project=project,
            budget=budget,
        )
        self.compacting = Compacting(self._journal, self._context, self.cell, answering.assistant)
        self.lessons = RunLessons(services, self._journal, answering.assistant)
        self.turns = Turns(self._journal, self.cell, self._context, answering.answer, services.tasks)
        self.conductor = SessionConductor(
            self.cell,
            self._journal,
            self.decisions,
            turns=self.turns,
            runs=self.runs,
            tasks=self.tasks,
            settings=lambda: self.settings,
        )

    @property
    def state(self) -> SessionState:
        """As its log tells it, at this moment."""
        return self.cell.state

    @property
    def settings(self) -> InteractiveSettings:
        return self._services.team.settings.orchestrator.interactive_mode

    @classmethod
    async def load(cls, services: Services, session_id: SessionId) -> "Session":
        """From its log, as its only writer. Raises NotFound, and Conflict with the owner in another window."""
        await services.store.claim(session_id)
        session = cls(services, session_id)
        damaged = Counter[str]()
        with nothing_is_garbage():
            async for page in stream(services.store, session_id):
                session._read(page.records)
                damaged.update(each.reason for each in page.damaged)
        if not session.cell.has_facts:
            session.cell.describe(await services.store.summary(session_id))
        for reason, count in damaged.items():
            session._unsaid.append(reason if count == 1 else f"{reason} ({count:,} records of this session)")
        session.cell.take_over()
        await session.conductor.recover()
        return session

    def _read(self, records: Sequence[EventRecord]) -> None:
        """Of what is over nobody waits to hear: only what is folded from the log takes it in."""
        self.cell.load(records)
        for record in records:
            self._context.fold(record)
            self.transcript.fold(record)

    async def create(self, about: str, project: str | None = None) -> None:
        at = now()
        summary = SessionSummary(
            session_id=self.session_id,
            title=title_of(about),
            project=project,
            created_at=at,
            updated_at=at,
            modes=self.state.modes,
        )
        await self._journal.append(SessionCreated(session=summary), Scope())

    async def opened(
        self, listener: Listener, after_seq: int | None
    ) -> tuple[SessionView, tuple[EventRecord, ...], bool]:
        """The view, what came after `after_seq`, and whether there is more; notifications go on exactly behind it."""
        async with self._journal.undisturbed():
            page = None
            if after_seq is not None:
                page = await self._services.store.read_after(self.session_id, after_seq, limit=EVENTS_AT_ONCE)
            self._services.bus.subscribe(listener, self.session_id)
            view = self.cell.view()
        self._findings.show()
        while self._unsaid:
            self._journal.announce(NoticeRaised(level="warning", text=self._unsaid.pop(0)), Scope())
        return view, page.records if page else (), page.more if page else False

    async def dismiss(self, finding_ids: Collection[FindingId]) -> None:
        """For good. Raises NotFound for what is not, or no longer, a finding of this session."""
        called = ids_called(self.state, finding_ids)
        if missing := [finding_id for finding_id in finding_ids if finding_id not in called]:
            raise NotFound(f"There is no finding {missing[0]} in this session.")
        if new := called - self.state.dismissed:
            await self._journal.append(FindingDismissed(finding_ids=tuple(sorted(new))), Scope())

    async def switch(self, change: Modes) -> Modes:
        """Raises Conflict while something is under way by the modes as they are."""
        async with self._journal.undisturbed() as append:
            modes = self.state.modes.changed_by(change)
            if (refusal := refusal_of_modes(self.state, modes)) is not None:
                raise refusal
            if modes != self.state.modes:
                await append(SessionUpdated(session=self.cell.summary().model_copy(update={"modes": modes})), Scope())
        return self.state.modes

    async def relist(self, *, title: str | None = None, project: str | None = None) -> SessionSummary:
        """Puts down what the session browser shows, with a new title or for another project if there is one."""
        async with self._journal.undisturbed() as append:
            told = {"title": title, "project": project}
            summary = self.cell.summary().model_copy(
                update={name: value for name, value in told.items() if value is not None}
            )
            await append(SessionUpdated(session=summary), Scope())
        return self.cell.summary()

    async def delete(self) -> None:
        """Out of sight, with a way back. Raises Conflict while something of it is at work or waits for a person."""
        async with self._journal.undisturbed():
            if (refusal := refusal_of_deletion(self.state)) is not None:
                raise refusal
            await self._services.store.delete(self.session_id, now())
            self.conductor.close()

    async def approve(
        self, decision_id: DecisionId, choice: str, edits: dict[str, Any] | None, instructions: str | None
    ) -> Resolution:
        self.decisions.check_approval(decision_id, choice)
        await self.runs.check_edits(decision_id, edits)
        return await self.decisions.resolve(decision_id, choice, by="user", edits=edits, text=instructions)
