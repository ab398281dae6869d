"""A message of the user: it begins a turn, waits for its turn, or reaches what is under way."""

from teamwright.protocol.commands import ChatParams, ChatResult
from teamwright.protocol.ids import TurnId
from teamwright.runtime.bus import Listener
from teamwright.runtime.sessions.session import Session
from teamwright.runtime.sessions.supervisor import Supervisor


async def chat(supervisor: Supervisor, params: ChatParams, listener: Listener) -> ChatResult:
    """The message is on disk when this returns."""
    async with supervisor.set_to_work(params.session_id, listener, about=params.text, modes=params.modes) as session:
        turn_id = await _steered(session, params) if params.when_busy == "steer" else None
        turn_id = turn_id or await session.turns.ask(params.text, params.attachments, params.modes)
        return ChatResult(session_id=session.session_id, turn_id=turn_id)


async def _steered(session: Session, params: ChatParams) -> TurnId | None:
    """The turn that the message belongs to, if what is under way can still hear it: agents at work do so at their next
    step, the assistant with its next model call."""
    turn = session.turns.under_way
    if turn is None:
        delivered = await session.runs.steer(params.text)
        return await session.turns.note(params.text, params.attachments) if delivered else None
    if not await turn.hear(params.text, params.attachments):
        return None
    await session.runs.steer(params.text)
    return turn.asked.turn_id
