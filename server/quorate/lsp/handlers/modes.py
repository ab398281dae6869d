"""The switches of a session."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import ModesParams
from quorate.protocol.modes import Modes
from quorate.runtime.modes import set_modes


async def modes(desk: Desk, params: ModesParams) -> Modes:
    return await set_modes(desk.supervisor, params)
