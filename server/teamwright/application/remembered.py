"""What a person has said once and for all: shown, and taken back."""

import os
from collections.abc import Collection

from anyio import to_thread

from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.protocol import command_table as table
from teamwright.protocol.commands import ForgetParams, ForgetResult, NoParams, RememberedResult
from teamwright.runtime.checks.ticks import RememberedTicks
from teamwright.runtime.client_context import ClientContext
from teamwright.runtime.remembered import RememberedAnswers


@carries_out(table.REMEMBERED_LIST)
async def remembered(context: CommandContext, _params: NoParams) -> RememberedResult:
    answers = await _answers(context)
    return RememberedResult(answers=await to_thread.run_sync(answers.all))


@carries_out(table.REMEMBERED_FORGET)
async def forget(context: CommandContext, params: ForgetParams) -> ForgetResult:
    """You are asked again from the next question on. Raises NotFound."""
    answers = await _answers(context)
    return ForgetResult(forgotten=await to_thread.run_sync(answers.forget, params.answer_ids))


async def remembered_in(client_context: ClientContext) -> RememberedResult:
    """For who needs neither a team nor its configuration."""
    answers = RememberedAnswers.within(client_context.state_path(os.environ))
    return RememberedResult(answers=await to_thread.run_sync(answers.all))


async def forget_in(client_context: ClientContext, answer_ids: Collection[str] | None) -> ForgetResult:
    answers = RememberedAnswers.within(client_context.state_path(os.environ))
    return ForgetResult(forgotten=await to_thread.run_sync(answers.forget, answer_ids))


async def _answers(context: CommandContext) -> RememberedAnswers:
    services = await context.services()
    return RememberedAnswers(services.tool_choices, RememberedTicks(services.state_path))
