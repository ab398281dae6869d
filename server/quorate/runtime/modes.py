"""The switches: of one session, or of those still to come."""

from quorate.protocol.commands import ModesParams
from quorate.protocol.modes import Modes
from quorate.runtime.supervisor import Supervisor


async def set_modes(supervisor: Supervisor, params: ModesParams) -> Modes:
    """What is not named stays as it is. Without a session: the defaults of new ones in this process."""
    team = (await supervisor.house()).team
    team.check(params)
    if params.session_id is not None:
        return await (await supervisor.existing(params.session_id)).switch(params)
    team.default_modes = team.default_modes.changed_by(params)
    return team.default_modes
