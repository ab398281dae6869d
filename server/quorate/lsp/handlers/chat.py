"""Talking to the assistant."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import CancelParams, CancelResult, ChatParams, ChatResult
from quorate.runtime import chatting


async def chat(desk: Desk, params: ChatParams) -> ChatResult:
    return await chatting.chat(desk.supervisor, params, listener=desk.client)


async def cancel(desk: Desk, params: CancelParams) -> CancelResult:
    if (thing := params.run_id or params.turn_id) is not None:
        await desk.attend_to(thing)
    return await desk.supervisor.cancel(params)
