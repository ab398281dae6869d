"""The owner of everything that runs: the one root task group, and the sessions in it."""

from collections.abc import Awaitable, Callable

from anyio.abc import TaskGroup

from quorate.models.port import Model
from quorate.protocol.commands import CancelParams, CancelResult, ChatParams, ChatResult
from quorate.protocol.errors import NotFound
from quorate.protocol.ids import SessionId
from quorate.runtime.bus import Bus
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

    async def chat(self, params: ChatParams) -> ChatResult:
        session = await self._session_for(params)
        turn_id = await session.ask(params.text, params.attachments)
        return ChatResult(session_id=session.session_id, turn_id=turn_id)

    async def cancel(self, params: CancelParams) -> CancelResult:
        if params.turn_id is None:
            return CancelResult(cancelled=False)
        for session in self._sessions.values():
            if await session.cancel(params.turn_id):
                return CancelResult(cancelled=True)
        return CancelResult(cancelled=False)

    async def _session_for(self, params: ChatParams) -> Session:
        if params.session_id is not None:
            try:
                return self._sessions[params.session_id]
            except KeyError:
                raise NotFound(f"There is no session {params.session_id}; leave sessionId out to start one.") from None
        session_id = SessionId(fresh_id("ses"))
        session = Session(Journal(session_id, self.bus), await self._assistant(), self._tasks)
        self._sessions[session_id] = session
        await session.create(params.text)
        return session
