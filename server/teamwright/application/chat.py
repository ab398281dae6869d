"""Talking to the assistant."""

from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.protocol import command_table as table
from teamwright.protocol.commands import CancelParams, CancelResult, ChatParams, ChatResult, SteerParams, SteerResult
from teamwright.runtime.sessions import messages


@carries_out(table.CHAT)
async def chat(context: CommandContext, params: ChatParams) -> ChatResult:
    """The message is on disk when this returns; without a session, one is begun with it."""
    return await messages.chat(context.supervisor, params, listener=context.client)


@carries_out(table.STEER)
async def steer(context: CommandContext, params: SteerParams) -> SteerResult:
    """The agents that will read it, of one run or of all that the session has under way."""
    if params.run_id is not None:
        await context.attend_to(params.run_id)
    else:
        await context.attend(await context.supervisor.existing(params.session_id))
    return await context.supervisor.steer(params)


@carries_out(table.CANCEL)
async def cancel(context: CommandContext, params: CancelParams) -> CancelResult:
    """A run, or a turn with its runs. What had ended already is not cancelled, which is no fault."""
    if (part_id := params.run_id or params.turn_id) is not None:
        await context.attend_to(part_id)
    return await context.supervisor.cancel(params)
