"""A person's word."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import ApproveParams, DecisionResult, RespondParams


async def approve(desk: Desk, params: ApproveParams) -> DecisionResult:
    await desk.attend_to(params.decision_id)
    return await desk.supervisor.approve(params)


async def respond(desk: Desk, params: RespondParams) -> DecisionResult:
    await desk.attend_to(params.decision_id)
    return await desk.supervisor.respond(params)
