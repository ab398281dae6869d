"""The list of tasks of a session, as persons see and change it."""

from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.protocol import command_table as table
from teamwright.protocol.commands import SessionTasksParams, SessionTasksResult


@carries_out(table.SESSION_TASKS)
async def tasks(context: CommandContext, params: SessionTasksParams) -> SessionTasksResult:
    """As they stand, when what is given has taken their place."""
    session = await context.supervisor.existing(params.session_id)
    if params.tasks is None:
        return SessionTasksResult(tasks=session.tasks.current)
    await context.attend(session)
    return SessionTasksResult(tasks=await session.tasks.keep(params.tasks))
