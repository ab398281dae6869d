"""What the end of a server has interrupted, in whatever session: asked about before anybody opens the session."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress

import anyio

from quorate.protocol.decisions import ResumeDecision
from quorate.protocol.errors import UserError
from quorate.protocol.events import DecisionRequested, SessionUpdated
from quorate.protocol.ids import RunId, SessionId, TurnId
from quorate.protocol.records import EventRecord
from quorate.runtime.decisions import Decisions
from quorate.runtime.house import House
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.open_turns import OpenTurn, OpenTurns
from quorate.runtime.questions import resume_question
from quorate.runtime.runs.interrupted import is_interrupted, progress_of
from quorate.runtime.session_state import SessionState
from quorate.runtime.shielding import shielded
from quorate.store.port import stream
from quorate.tools.assistant.launch_run import LaunchRun

Asked = tuple[ResumeDecision, Scope]


class Interruptions:
    def __init__(
        self,
        house: Callable[[], Awaitable[House]],
        loading: anyio.Lock,
        *,
        is_ours: Callable[[SessionId], bool],
        take_up: Callable[[SessionId], Awaitable[object]],
    ) -> None:
        self._house = house
        self._loading = loading
        self._is_ours = is_ours
        self._take_up = take_up
        self._looking = anyio.Lock()
        self._has_looked = False

    async def asked_about(self) -> None:
        """Once in the life of a server; whoever comes meanwhile waits for it. Raises what opening the house raises."""
        house = await self._house()
        async with self._looking:
            if self._has_looked:
                return
            for session_id in await house.store.sessions_with_open_work():
                # Another window's, or one that cannot be written just now: it is asked about when it is opened.
                with suppress(UserError):
                    await self._ask_in(house, session_id)
            self._has_looked = True

    async def _ask_in(self, house: House, session_id: SessionId) -> None:
        goes_on_by_itself = house.team.settings.orchestrator.interactive_mode.resume == "auto"
        async with self._loading:
            if self._is_ours(session_id):
                return
            async with _claimed(house, session_id):
                session = await _Recalled.from_log(house, session_id)
                if not goes_on_by_itself:
                    await session.ask()
        if goes_on_by_itself and any(session.interrupted()):
            await self._take_up(session_id)


@asynccontextmanager
async def _claimed(house: House, session_id: SessionId) -> AsyncGenerator[None]:
    """Only for as long as we write to it: it is for whoever opens it first."""
    await house.store.claim(session_id)
    try:
        yield
    finally:
        await shielded(house.store.release(session_id))


class _Recalled:
    """As much of a session as is needed to know what was at work in it."""

    def __init__(self, house: House, session_id: SessionId) -> None:
        self._journal = Journal(session_id, house.store, house.bus)
        self._state = SessionState(session_id)
        self._decisions = Decisions(self._journal)
        self._turns = OpenTurns()
        self._turns_of_runs: dict[RunId, TurnId | None] = {}
        for fold in (self._state.fold, self._decisions.fold, self._turns.fold, self._note_run):
            self._journal.fold_into(fold)

    @classmethod
    async def from_log(cls, house: House, session_id: SessionId) -> "_Recalled":
        session = cls(house, session_id)
        async for page in stream(house.store, session_id):
            for record in page.records:
                session._journal.replay(record)
        return session

    async def ask(self) -> None:
        asked = tuple(self.interrupted())
        for question, scope in asked:
            await self._journal.append(DecisionRequested(decision=question), scope)
        if asked:
            await self._journal.append(SessionUpdated(session=self._state.summary()), Scope())

    def interrupted(self) -> Iterator[Asked]:
        for run_id, run in self._state.unfinished_runs():
            if is_interrupted(run):
                question = resume_question("run", run.spec.task, progress_of(run))
                yield question, Scope(self._turns_of_runs[run_id], run_id)
        turn = self._turns.interrupted
        if turn is not None and not turn.is_answered and not self._waits(turn):
            yield resume_question("turn", turn.asked.text, turn.done), Scope(turn.asked.turn_id)

    def _waits(self, turn: OpenTurn) -> bool:
        """For a person, or for a run that waits or asks for itself."""
        run = None if turn.run_id is None else self._state.runs.get(turn.run_id)
        follows = run is not None and run.finished is None and turn.open_calls == [LaunchRun.name]
        own = Scope(turn.asked.turn_id)
        return follows or any(pending.scope == own for pending in self._decisions.pending.values())

    def _note_run(self, record: EventRecord) -> None:
        if record.run_id is not None:
            self._turns_of_runs.setdefault(record.run_id, record.turn_id)
