"""The switches of a session."""

from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.protocol import command_table as table
from teamwright.protocol.commands import ModesParams
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.modes import Modes


@carries_out(table.MODES)
async def modes(context: CommandContext, params: ModesParams) -> Modes:
    """Those in force, when what is named has been changed. Without a session: those that new ones begin with.

    Raises Conflict while the session is at work.
    """
    team = (await context.services()).team
    if params.session_id is not None:
        team.check(params)
        return await (await context.supervisor.existing(params.session_id)).switch(params)
    if params.model_fields_set & set(Modes.model_fields):
        message = "is required to change modes; a new session takes them with its first message or run"
        raise BadParams([FieldError(path="sessionId", message=message)])
    return team.default_modes
