"""A person's word."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import ApproveParams, DecisionResult, RespondParams


async def approve(desk: Desk, params: ApproveParams) -> DecisionResult:
    return await desk.supervisor.approve(params)


async def respond(desk: Desk, params: RespondParams) -> DecisionResult:
    return await desk.supervisor.respond(params)
