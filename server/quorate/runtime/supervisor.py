"""The owner of the sessions: finds the one that a command is for, or makes it."""

from collections.abc import Awaitable, Callable, Collection

import anyio

from quorate.protocol.commands import (
    ApproveParams,
    CancelParams,
    CancelResult,
    ChatParams,
    ChatResult,
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
from quorate.protocol.errors import BadParams, FieldError, NotFound
from quorate.protocol.ids import DecisionId, RunId, SessionId, TurnId
from quorate.protocol.runs import RunSpec
from quorate.runtime.bus import Listener
from quorate.runtime.house import House
from quorate.runtime.identity import fresh_id
from quorate.runtime.runs.desk import Request
from quorate.runtime.session import Session
from quorate.runtime.shelf.older_items import items_before

GetHouse = Callable[[], Awaitable[House]]


class Supervisor:
    def __init__(self, house: GetHouse) -> None:
        self.house = house
        self._sessions: dict[SessionId, Session] = {}
        # Held while a session is opened, and by whoever needs that none is.
        self.loading = anyio.Lock()

    @property
    def open_sessions(self) -> Collection[Session]:
        """Those that this process has in its hands."""
        return self._sessions.values()

    @property
    def active_sessions(self) -> int:
        """How many have a turn or run at work."""
        return sum(session.state.is_busy for session in self.open_sessions)

    def opened(self, session_id: SessionId) -> Session | None:
        return self._sessions.get(session_id)

    def forget(self, session_id: SessionId) -> None:
        del self._sessions[session_id]

    async def chat(self, params: ChatParams, listener: Listener) -> ChatResult:
        session = await self._session(params.session_id, listener, about=params.text)
        turn_id = await session.turns.ask(params.text, params.attachments)
        return ChatResult(session_id=session.session_id, turn_id=turn_id)

    async def launch_run(self, params: LaunchRunParams, listener: Listener) -> RunLaunched:
        spec = RunSpec.model_validate(
            {name: getattr(params, name) for name in params.model_fields_set & set(RunSpec.model_fields)}
        )
        request = Request(by_user=(spec,))
        session = await self._session(params.session_id, listener, about=params.task, first_run=request)
        run, decision_id = await session.runs.launch(request, approval=params.approval)
        return RunLaunched(session_id=session.session_id, run_id=run.run_id, decision_id=decision_id)

    async def approve(self, params: ApproveParams) -> DecisionResult:
        session = await self.session_with(params.decision_id)
        resolution = await session.approve(params.decision_id, params.choice, params.edits, params.instructions)
        return DecisionResult(decision=resolution)

    async def respond(self, params: RespondParams) -> DecisionResult:
        session = await self.session_with(params.decision_id)
        pending = session.decisions.pending.get(params.decision_id)
        if pending is not None and pending.decision.kind != "input":
            message = f"is a decision of kind {pending.decision.kind}; use quorate.approve"
            raise BadParams([FieldError(path="decisionId", message=message)])
        resolution = await session.decisions.resolve(params.decision_id, "answer", by="user", text=params.text)
        return DecisionResult(decision=resolution)

    async def override(self, params: OverrideParams) -> OverrideResult:
        session = await self.session_with(params.run_id)
        await session.runs.run(params.run_id).override(params.agent_id)
        return OverrideResult(run_id=params.run_id, agent_id=params.agent_id)

    async def steer(self, params: SteerParams) -> SteerResult:
        if params.run_id is not None:
            session, runs = await self.session_with(params.run_id), [params.run_id]
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
        session = await self.existing(params.session_id)
        view, events, more = await session.opened(listener, params.after_seq)
        if params.items_before is not None:
            older = await items_before((await self.house()).store, params.session_id, params.items_before)
            view = view.model_copy(update={"items": older})
        return SessionOpenResult(session=view, events=events, more=more)

    async def close_session(self, params: SessionParams, listener: Listener) -> SessionRef:
        house = await self.house()
        house.bus.unsubscribe(listener, params.session_id)
        return SessionRef(session_id=params.session_id)

    async def _session(
        self, session_id: SessionId | None, listener: Listener, *, about: str, first_run: Request | None = None
    ) -> Session:
        """Writing to a session subscribes the client: it hears of everything from the session's first event on.

        Raises BadParams where a first run could not go: no session is made for it.
        """
        house = await self.house()
        if session_id is not None:
            session = await self.existing(session_id)
            house.bus.subscribe(listener, session_id)
            return session
        session = Session(house, SessionId(fresh_id("ses")))
        if first_run is not None:
            await session.runs.check(first_run)
        house.bus.subscribe(listener, session.session_id)
        await session.create(about)
        self._sessions[session.session_id] = session
        return session

    async def existing(self, session_id: SessionId | None) -> Session:
        if session_id is None:
            raise NotFound("There is no such session; leave sessionId out to start one.")
        async with self.loading:
            if session_id not in self._sessions:
                self._sessions[session_id] = await Session.load(await self.house(), session_id)
            return self._sessions[session_id]

    async def session_with(self, thing: RunId | TurnId | DecisionId) -> Session:
        house = await self.house()
        return await self.existing(await house.store.find_session(thing))
