"""How things stand."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import NoParams, StatusResult
from quorate.runtime import status as standing


async def status(desk: Desk, _params: NoParams) -> StatusResult:
    return await standing.status(desk.supervisor)
