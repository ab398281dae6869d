"""What a run wants to do to the user's files."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import ChangesOpenParams, ChangesOpenResult, ChangesParams, ChangesResult
from quorate.runtime import changes


async def open_change(desk: Desk, params: ChangesOpenParams) -> ChangesOpenResult:
    return await changes.open_change(desk.supervisor, params)


async def apply(desk: Desk, params: ChangesParams) -> ChangesResult:
    await desk.attend_to(params.run_id)
    return await changes.apply(desk.supervisor, params)


async def discard(desk: Desk, params: ChangesParams) -> ChangesResult:
    await desk.attend_to(params.run_id)
    return await changes.discard(desk.supervisor, params)


async def undo(desk: Desk, params: ChangesParams) -> ChangesResult:
    await desk.attend_to(params.run_id)
    return await changes.undo(desk.supervisor, params)
