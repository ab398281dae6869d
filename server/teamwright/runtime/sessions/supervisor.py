"""The owner of the sessions: finds the one that a command is for, or makes it."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, nullcontext, suppress

import anyio

from teamwright.engine.session.standing import resume_question
from teamwright.engine.transcript.session import SessionTranscript
from teamwright.permissions.actions import Approval
from teamwright.protocol.commands import (
    ApproveParams,
    CancelParams,
    CancelResult,
    DecisionResult,
    LaunchRunParams,
    OverrideParams,
    OverrideResult,
    PlanExecuteParams,
    RespondParams,
    RunContinueParams,
    RunLaunched,
    RunParams,
    RunResumed,
    SessionOpenParams,
    SessionOpenResult,
    SessionParams,
    SessionRef,
    SteerParams,
    SteerResult,
)
from teamwright.protocol.errors import Conflict, NotFound, UserError
from teamwright.protocol.ids import DecisionId, FindingId, RunId, SessionId, TurnId
from teamwright.protocol.modes import Modes
from teamwright.protocol.runs import RunSpec
from teamwright.runtime.bus import Listener
from teamwright.runtime.catalog.older_items import items_before
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.peers.sessions import PeerSessions
from teamwright.runtime.runs.registry import Request
from teamwright.runtime.runs.requests import requested_by_user
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.decisions import ANSWER
from teamwright.runtime.sessions.recovery import Recovery
from teamwright.runtime.sessions.session import Session
from teamwright.runtime.sessions.workload import Workload

GetServices = Callable[[], Awaitable[Services]]


class Supervisor:
    def __init__(self, services: GetServices, when_put_away: Callable[[SessionId], None] = lambda _: None) -> None:
        """`when_put_away`: for whoever keeps something of a session only as long as the session itself is kept."""
        self._get_services = services
        self._when_put_away = when_put_away
        self._sessions: dict[SessionId, Session] = {}
        # Held while a session is opened, and by whoever needs that none is.
        self.loading = anyio.Lock()
        self._workload = Workload(lambda: self.open_sessions)
        self.recovery = Recovery(self._take_up)
        self.project_of_new_sessions: str | None = None
        self.foreign = PeerSessions(self.services, lambda session_id: session_id in self._sessions)

    async def services(self) -> Services:
        """Raises what a user must mend first."""
        services = await self._get_services()
        self.recovery.begin(services)
        return services

    @property
    def open_sessions(self) -> Collection[Session]:
        """Those that this process has in its hands."""
        return self._sessions.values()

    @property
    def active_sessions(self) -> int:
        """How many have a turn or run at work."""
        return self._workload.active

    def opened(self, session_id: SessionId) -> Session | None:
        return self._sessions.get(session_id)

    def forget(self, session_id: SessionId) -> None:
        self._sessions.pop(session_id).conductor.close()

    async def launch_run(self, params: LaunchRunParams, listener: Listener) -> RunLaunched:
        spec = RunSpec.model_validate(
            {name: getattr(params, name) for name in params.model_fields_set & set(RunSpec.model_fields)}
        )
        request = await requested_by_user(await self.services(), spec, params.attachments)
        return await self.launch(
            request, params.session_id, listener, about=params.task, modes=params.modes, approval=params.approval
        )

    async def launch(
        self,
        request: Request,
        session_id: SessionId | None,
        listener: Listener,
        *,
        about: str,
        modes: Modes | None = None,
        approval: Approval | None = None,
    ) -> RunLaunched:
        only_asks = approval == "ask"
        async with self.set_to_work(
            session_id, listener, about=about, modes=modes, first_run=request, only_asks=only_asks
        ) as session:
            run, decision_id = await session.runs.launch(request, approval=approval)
            return RunLaunched(session_id=session.session_id, run_id=run.run_id, decision_id=decision_id)

    async def continue_run(self, params: RunContinueParams, listener: Listener) -> RunLaunched:
        session_id = (await self.session_with(params.run_id)).session_id
        async with self.set_to_work(session_id, listener, about="") as session:
            run, decision_id = await session.runs.continued(params.run_id, params.instructions)
            return RunLaunched(session_id=session_id, run_id=run.run_id, decision_id=decision_id)

    async def resume_run(self, params: RunParams, listener: Listener) -> RunResumed:
        """The yes to the question whether it goes on. Raises Conflict where it was not interrupted."""
        session = await self.session_with(params.run_id)
        (await self.services()).bus.subscribe(listener, session.session_id)
        asked = resume_question(session.state, params.run_id)
        if asked is None:
            is_open = params.run_id in session.state.runs.open
            raise Conflict(
                "This run was not interrupted: it is under way."
                if is_open
                else "This run has ended: continue it, or launch another."
            )
        await session.approve(asked, "approve", None, None)
        return RunResumed(run_id=params.run_id)

    async def carry_out_plan(self, params: PlanExecuteParams, listener: Listener) -> RunLaunched:
        session_id = (await self.session_with(params.run_id)).session_id
        async with self.set_to_work(session_id, listener, about="") as session:
            run = await session.runs.carry_out_plan(params)
            return RunLaunched(session_id=session_id, run_id=run.run_id)

    async def approve(self, params: ApproveParams) -> DecisionResult:
        session = await self.session_with(params.decision_id)
        resolution = await session.approve(params.decision_id, params.choice, params.edits, params.instructions)
        return DecisionResult(decision=resolution)

    async def respond(self, params: RespondParams) -> DecisionResult:
        session = await self.session_with(params.decision_id)
        resolution = await session.decisions.resolve(params.decision_id, ANSWER, by="user", text=params.text)
        return DecisionResult(decision=resolution)

    async def override(self, params: OverrideParams) -> OverrideResult:
        session = await self.session_with(params.run_id)
        await session.runs.run(params.run_id).override(params.agent_id)
        return OverrideResult(run_id=params.run_id, agent_id=params.agent_id)

    async def steer(self, params: SteerParams) -> SteerResult:
        if params.run_id is None:
            session = await self.existing(params.session_id)
            return SteerResult(delivered=await session.runs.steer(params.text, params.agents))
        run = (await self.session_with(params.run_id)).runs.run(params.run_id)
        run.check_steering(params.agents)
        return SteerResult(delivered=await run.steer(params.text, params.agents))

    async def cancel(self, params: CancelParams) -> CancelResult:
        if params.run_id is not None:
            session = await self.session_with(params.run_id)
            return CancelResult(cancelled=await session.runs.run(params.run_id).cancel())
        if params.turn_id is not None:
            session = await self.session_with(params.turn_id)
            return CancelResult(cancelled=await session.turns.cancel(params.turn_id))
        return CancelResult(cancelled=False)

    async def open_session(self, params: SessionOpenParams, listener: Listener) -> SessionOpenResult:
        try:
            session = await self.existing(params.session_id)
        except Conflict:
            # Another window writes to it: we read along, and take it over once that one is gone.
            view, events, more = await self.foreign.opened(params.session_id, listener, params.after_seq)
        else:
            view, events, more = await session.opened(listener, params.after_seq)
        if isinstance(params.items_before, int):
            older = await items_before((await self.services()).store, params.session_id, params.items_before)
            view = view.model_copy(update={"items": older})
        return SessionOpenResult(session=view, events=events, more=more)

    def transcript(self, session_id: SessionId) -> SessionTranscript | None:
        """What clients draw of a session that is open here, or that another process writes to while we read along."""
        session = self._sessions.get(session_id)
        return self.foreign.transcript(session_id) if session is None else session.transcript

    async def close_session(self, params: SessionParams, listener: Listener) -> SessionRef:
        services = await self.services()
        services.bus.unsubscribe(listener, params.session_id)
        return SessionRef(session_id=params.session_id)

    @asynccontextmanager
    async def set_to_work(
        self,
        session_id: SessionId | None,
        listener: Listener,
        *,
        about: str,
        modes: Modes | None = None,
        first_run: Request | None = None,
        only_asks: bool = False,
    ) -> AsyncGenerator[Session]:
        """The session, or a new one; the client hears of everything in it from its first event on.

        Raises LimitReached where too many are at work, unless a person is only asked for now, and BadParams where a
        first run could not go: no session is made for it.
        """
        services = await self.services()
        services.team.check(modes or Modes(), path="modes.agentId")
        session = await self.existing(session_id) if session_id is not None else self._new(services, modes)
        with session.conductor.in_use(), nullcontext() if only_asks else self._workload.admitted(session):
            if session_id is None and first_run is not None:
                await session.runs.check(first_run)
            services.bus.subscribe(listener, session.session_id)
            if session_id is None:
                await session.create(about, self.project_of_new_sessions)
                self._keep(services, session)
            yield session

    def _new(self, services: Services, modes: Modes | None) -> Session:
        in_force = services.team.default_modes if modes is None else services.team.default_modes.changed_by(modes)
        return Session(services, SessionId(fresh_id("ses")), in_force)

    async def existing(self, session_id: SessionId | None) -> Session:
        """As its writer. Raises NotFound, and Conflict with the owner where another process is that."""
        if session_id is None:
            raise NotFound("There is no such session; leave sessionId out to start one.")
        async with self.loading:
            if session_id not in self._sessions:
                services = await self.services()
                async with self.foreign.handed_over(session_id):
                    self._keep(services, await Session.load(services, session_id))
            self._sessions[session_id].conductor.touch()
            return self._sessions[session_id]

    def _keep(self, services: Services, session: Session) -> None:
        self._sessions[session.session_id] = session
        services.tasks.start_soon(session.conductor.conduct, _ThisProcess(session, self._workload, self._put_away))

    async def _put_away(self, session: Session) -> None:
        """Out of memory, and free for others to write to. Nothing is lost: it is loaded again when it is needed."""
        async with self.loading:
            if self.opened(session.session_id) is session and session.conductor.is_idle:
                self.forget(session.session_id)
                self._when_put_away(session.session_id)
                await self._release(session.session_id)

    async def _release(self, session_id: SessionId) -> None:
        # A disk that fails here keeps the claim, which hurts nobody: whoever loads it next has it already.
        with suppress(UserError):
            await (await self.services()).store.release(session_id)

    async def session_with(self, thing: RunId | TurnId | DecisionId | FindingId) -> Session:
        services = await self.services()
        return await self.existing(await services.store.find_session(thing))

    async def _take_up(self, session_id: SessionId) -> None:
        """A session in which something was under way when its process ended: it is kept where there is work to do that
        no person must do first, and else only asked about, for whoever opens it."""
        services = await self.services()
        async with self.loading:
            if session_id in self._sessions:
                return
            async with self.foreign.handed_over(session_id):
                session = await Session.load(services, session_id)
            if session.conductor.has_work:
                self._keep(services, session)
            else:
                await session.conductor.relist()
                await self._release(session_id)


class _ThisProcess:
    """This process, as the conductor of one of its sessions sees it."""

    def __init__(self, session: Session, workload: Workload, put_away: Callable[[Session], Awaitable[None]]) -> None:
        self._session = session
        self._workload = workload
        self._put_away = put_away

    def has_room(self) -> bool:
        return self._workload.has_room(self._session)

    def rearranged(self) -> None:
        self._workload.rearranged()

    async def put_away(self) -> None:
        await self._put_away(self._session)
