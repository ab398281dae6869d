"""The owner of everything that runs: the one root task group, and the sessions in it."""

from collections.abc import Awaitable, Callable

from anyio.abc import TaskGroup

from quorate.models.port import Model
from quorate.protocol.commands import CancelParams, CancelResult, ChatParams, ChatResult
from quorate.protocol.errors import NotFound
from quorate.protocol.ids import SessionId
from quorate.runtime.bus import Bus, Listener
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal
from quorate.runtime.session import Session

AssistantModel = Callable[[], Awaitable[Model]]


class Supervisor:
    def __init__(self, tasks: TaskGroup, assistant: AssistantModel) -> None:
        self._tasks = tasks
        self._assistant = assistant
        self._sessions: dict[SessionId, Session] = {}
        self.bus = Bus()

    async def chat(self, params: ChatParams, listener: Listener) -> ChatResult:
        """Writing to a session subscribes the client: it hears of everything from the session's first event on."""
        session = self._existing(params.session_id) if params.session_id else self._fresh(await self._assistant())
        self.bus.subscribe(listener, session.session_id)
        if params.session_id is None:
            await session.create(params.text)
        turn_id = await session.ask(params.text, params.attachments)
        return ChatResult(session_id=session.session_id, turn_id=turn_id)

    async def cancel(self, params: CancelParams) -> CancelResult:
        if params.turn_id is None:
            return CancelResult(cancelled=False)
        for session in self._sessions.values():
            if await session.cancel(params.turn_id):
                return CancelResult(cancelled=True)
        return CancelResult(cancelled=False)

    def _existing(self, session_id: SessionId) -> Session:
        try:
            return self._sessions[session_id]
        except KeyError:
            raise NotFound(f"There is no session {session_id}; leave sessionId out to start one.") from None

    def _fresh(self, model: Model) -> Session:
        session = Session(Journal(SessionId(fresh_id("ses")), self.bus), model, self._tasks)
        self._sessions[session.session_id] = session
        return session
