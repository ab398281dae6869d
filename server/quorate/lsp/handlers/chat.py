"""Talking to the assistant."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import CancelParams, CancelResult, ChatParams, ChatResult


async def chat(desk: Desk, params: ChatParams) -> ChatResult:
    return await desk.supervisor.chat(params, listener=desk.client)


async def cancel(desk: Desk, params: CancelParams) -> CancelResult:
    return await desk.supervisor.cancel(params)
