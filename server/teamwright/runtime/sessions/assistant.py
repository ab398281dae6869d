"""The assistant of a session as it is for one turn: settings and modes may change from one to the next."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from anyio import to_thread

from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import Scope
from teamwright.runtime.checks.requested import RequestedChecks
from teamwright.runtime.checks.ticks import RememberedTicks
from teamwright.runtime.context.assistant_caller import GetNow
from teamwright.runtime.runs.questions import assistant_rules
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.run_launcher import SessionRunLauncher
from teamwright.runtime.sessions.turn import Assistant
from teamwright.tools.assistant import (
    AnalyzeRunTool,
    GetRunTool,
    LaunchRunTool,
    ProjectKeeper,
    RequestInputTool,
    UpdateProjectTool,
)
from teamwright.tools.checks import RunChecksTool
from teamwright.tools.dispatcher import AskPerson
from teamwright.tools.files.reading import ListFilesTool, ReadFileTool, SearchFilesTool, reading_tools
from teamwright.tools.port import AnyTool
from teamwright.tools.repository import GitDiffTool, GitLogTool
from teamwright.tools.tasks import TaskKeeper, TaskListTool

# Tools whose calls change nothing: one that was interrupted may be made again.
READING_TOOLS: Final = frozenset(
    tool.name
    for tool in (
        ReadFileTool,
        ListFilesTool,
        SearchFilesTool,
        GitLogTool,
        GitDiffTool,
        GetRunTool,
        AnalyzeRunTool,
        RunChecksTool,
    )
)
# Where a person is there to stop it, a turn still ends by itself.
_MOST_STEPS = 100


def assistant_for(
    services: Services,
    modes: Modes,
    lead: SessionRunLauncher,
    project: ProjectKeeper,
    tasks: TaskKeeper,
    *,
    configured: tuple[AnyTool, ...],
    now: GetNow,
    may_call: Callable[[Scope], Awaitable[bool]],
    ask: AskPerson,
) -> Assistant:
    """`configured`: the tools of MCP servers."""
    is_autonomous = modes.autonomy == "autonomous"
    rules = assistant_rules(services, modes)
    team: tuple[AnyTool, ...] = (
        () if modes.team == "never" else ((LaunchRunTool(lead), GetRunTool(lead), AnalyzeRunTool(lead)))
    )
    asking: tuple[AnyTool, ...] = () if is_autonomous else (RequestInputTool(lead.ask_person),)
    checks: tuple[AnyTool, ...] = ()
    if services.client_context.trusted:
        checks = (RunChecksTool(RequestedChecks(services, rules, partial(_ask_for_check, services, lead))),)
    repository = (GitLogTool(services.live, rules), GitDiffTool(services.live, rules))
    return Assistant(
        model=services.team.assistant_model(),
        rules=rules,
        tools=(
            *team,
            *asking,
            *reading_tools(services.live, rules),
            *repository,
            *checks,
            UpdateProjectTool(project),
            TaskListTool(tasks),
            *configured,
        ),
        most_steps=services.team.settings.orchestrator.interactive_mode.max_steps if is_autonomous else _MOST_STEPS,
        now=now,
        may_call=may_call,
        ask=ask,
    )


async def _ask_for_check(services: Services, lead: SessionRunLauncher, check: CheckDefinition, question: str) -> bool:
    """A yes is a tick, which is remembered; a no is for this once."""
    is_ticked = await lead.ask_for_check(check, question)
    if is_ticked:
        ticks = RememberedTicks(services.state_path)
        await to_thread.run_sync(partial(ticks.remember, (check,), ticked=True))
    return is_ticked
