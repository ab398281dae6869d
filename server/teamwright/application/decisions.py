"""A person's word."""

from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.protocol import command_table as table
from teamwright.protocol.commands import ApproveParams, DecisionResult, OverrideParams, OverrideResult, RespondParams


@carries_out(table.APPROVE)
async def approve(context: CommandContext, params: ApproveParams) -> DecisionResult:
    """Raises Conflict, with what was decided, where somebody was faster."""
    await context.attend_to(params.decision_id)
    return await context.supervisor.approve(params)


@carries_out(table.RESPOND)
async def respond(context: CommandContext, params: RespondParams) -> DecisionResult:
    """To a question. Raises Conflict likewise."""
    await context.attend_to(params.decision_id)
    return await context.supervisor.respond(params)


@carries_out(table.OVERRIDE)
async def override(context: CommandContext, params: OverrideParams) -> OverrideResult:
    """Has another agent's answer presented, or lets the vote stand now. Raises Conflict when it is too late."""
    await context.attend_to(params.run_id)
    return await context.supervisor.override(params)
