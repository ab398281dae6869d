"""The owner of the sessions: finds the one that a command is for, or makes it."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress

import anyio

from quorate.protocol.commands import (
    ApproveParams,
    CancelParams,
    CancelResult,
    DecisionResult,
    LaunchRunParams,
    OverrideParams,
    OverrideResult,
    RespondParams,
    RunLaunched,
    SessionOpenParams,
    SessionOpenResult,
    SessionParams,
    SessionRef,
    SteerParams,
    SteerResult,
)
from quorate.protocol.errors import Conflict, NotFound, UserError
from quorate.protocol.ids import DecisionId, FindingId, RunId, SessionId, TurnId
from quorate.protocol.modes import Modes
from quorate.protocol.runs import RunSpec
from quorate.runtime.activity import Workload
from quorate.runtime.bus import Listener
from quorate.runtime.decisions import ANSWER
from quorate.runtime.foreign_sessions import ForeignSessions
from quorate.runtime.house import House
from quorate.runtime.identity import fresh_id
from quorate.runtime.interruptions import Interruptions
from quorate.runtime.runs.desk import Approval, Request
from quorate.runtime.session import Session
from quorate.runtime.shelf.older_items import items_before

GetHouse = Callable[[], Awaitable[House]]


class Supervisor:
    def __init__(self, house: GetHouse) -> None:
        self.house = house
        self._sessions: dict[SessionId, Session] = {}
        # Held while a session is opened, and by whoever needs that none is.
        self.loading = anyio.Lock()
        self._workload = Workload(lambda: {session.session_id for session in self.open_sessions if session.is_at_work})
        self.project_of_new_sessions: str | None = None
        self.foreign = ForeignSessions(house, lambda session_id: session_id in self._sessions)
        self.interruptions = Interruptions(
            house, self.loading, is_ours=lambda session_id: session_id in self._sessions, take_up=self.existing
        )

    @property
    def open_sessions(self) -> Collection[Session]:
        """Those that this process has in its hands."""
        return self._sessions.values()

    @property
    def active_sessions(self) -> int:
        """How many have a turn or run at work."""
        return sum(session.is_at_work for session in self.open_sessions)

    def opened(self, session_id: SessionId) -> Session | None:
        return self._sessions.get(session_id)

    def forget(self, session_id: SessionId) -> None:
        del self._sessions[session_id]

    async def launch_run(self, params: LaunchRunParams, listener: Listener) -> RunLaunched:
        spec = RunSpec.model_validate(
            {name: getattr(params, name) for name in params.model_fields_set & set(RunSpec.model_fields)}
        )
        request = Request(by_user=(spec,))
        return await self.launch(request, params.session_id, listener, about=params.task, approval=params.approval)

    async def launch(
        self,
        request: Request,
        session_id: SessionId | None,
        listener: Listener,
        *,
        about: str,
        approval: Approval | None = None,
    ) -> RunLaunched:
        only_asks = approval == "ask"
        async with self.set_to_work(
            session_id, listener, about=about, first_run=request, only_asks=only_asks
        ) as session:
            run, decision_id = await session.runs.launch(request, approval=approval)
            return RunLaunched(session_id=session.session_id, run_id=run.run_id, decision_id=decision_id)

    async def approve(self, params: ApproveParams) -> DecisionResult:
        session = await self.session_with(params.decision_id)
        with nullcontext() if params.choice == "cancel" else self._admitted(session):
            resolution = await session.approve(params.decision_id, params.choice, params.edits, params.instructions)
            return DecisionResult(decision=resolution)

    async def respond(self, params: RespondParams) -> DecisionResult:
        session = await self.session_with(params.decision_id)
        with self._admitted(session):
            resolution = await session.decisions.resolve(params.decision_id, ANSWER, by="user", text=params.text)
            return DecisionResult(decision=resolution)

    async def override(self, params: OverrideParams) -> OverrideResult:
        session = await self.session_with(params.run_id)
        await session.runs.run(params.run_id).override(params.agent_id)
        return OverrideResult(run_id=params.run_id, agent_id=params.agent_id)

    async def steer(self, params: SteerParams) -> SteerResult:
        if params.run_id is not None:
            session, runs = await self.session_with(params.run_id), [params.run_id]
            session.runs.run(params.run_id).check_steering(params.agents)
        else:
            session = await self.existing(params.session_id)
            runs = list(session.runs.ids)
        delivered = [
            agent for run_id in runs for agent in await session.runs.run(run_id).steer(params.text, params.agents)
        ]
        return SteerResult(delivered=tuple(delivered))

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
        if params.items_before is not None:
            older = await items_before((await self.house()).store, params.session_id, params.items_before)
            view = view.model_copy(update={"items": older})
        return SessionOpenResult(session=view, events=events, more=more)

    async def close_session(self, params: SessionParams, listener: Listener) -> SessionRef:
        house = await self.house()
        house.bus.unsubscribe(listener, params.session_id)
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
        house = await self.house()
        house.team.check(modes or Modes(), path="modes.agentId")
        session = await self.existing(session_id) if session_id is not None else self._new(house, modes)
        with nullcontext() if only_asks else self._admitted(session):
            if session_id is not None and modes is not None:
                await session.switch(modes)
            if session_id is None and first_run is not None:
                await session.runs.check(first_run)
            house.bus.subscribe(listener, session.session_id)
            if session_id is None:
                await session.create(about, self.project_of_new_sessions)
                self._keep(house, session)
            yield session

    def _new(self, house: House, modes: Modes | None) -> Session:
        in_force = house.team.default_modes if modes is None else house.team.default_modes.changed_by(modes)
        return Session(house, SessionId(fresh_id("ses")), in_force)

    async def existing(self, session_id: SessionId | None) -> Session:
        """As its writer. Raises NotFound, and Conflict with the owner where another process is that."""
        if session_id is None:
            raise NotFound("There is no such session; leave sessionId out to start one.")
        async with self.loading:
            if session_id not in self._sessions:
                house = await self.house()
                async with self.foreign.handed_over(session_id):
                    self._keep(house, await Session.load(house, session_id))
            self._sessions[session_id].touch()
            return self._sessions[session_id]

    def _keep(self, house: House, session: Session) -> None:
        self._sessions[session.session_id] = session
        house.tasks.start_soon(self._put_away_when_idle, house, session)

    async def _put_away_when_idle(self, house: House, session: Session) -> None:
        """Out of memory, and free for others to write to. Nothing is lost: it is loaded again when it is needed."""
        idle_seconds = 60 * session.settings.idle_minutes
        while self.opened(session.session_id) is session:
            await anyio.sleep_until(session.last_used + idle_seconds)
            async with self.loading:
                if session.state.is_busy:
                    session.touch()
                elif anyio.current_time() >= session.last_used + idle_seconds and self.opened(session.session_id):
                    self.forget(session.session_id)
                    # A disk that fails here keeps the claim, which hurts nobody: whoever loads it next has it already.
                    with suppress(UserError):
                        await house.store.release(session.session_id)

    def _admitted(self, session: Session) -> AbstractContextManager[None]:
        return self._workload.admitted(session.session_id, session.settings.max_active_sessions)

    async def session_with(self, thing: RunId | TurnId | DecisionId | FindingId) -> Session:
        house = await self.house()
        return await self.existing(await house.store.find_session(thing))
