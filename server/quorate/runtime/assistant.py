"""The assistant of a session as it is for one turn: settings and modes may change from one to the next."""

from collections.abc import Awaitable, Callable

from quorate.protocol.modes import Modes
from quorate.runtime.context.asking import GetNow
from quorate.runtime.house import House
from quorate.runtime.journal import Scope
from quorate.runtime.lead import SessionLead
from quorate.runtime.runs.approval import assistant_rules
from quorate.runtime.turn import Assistant
from quorate.tools.assistant.get_run import GetRun
from quorate.tools.assistant.launch_run import LaunchRun
from quorate.tools.assistant.update_project import ProjectKeeper, UpdateProject
from quorate.tools.files.toolkit import reading_tools
from quorate.tools.port import AnyTool
from quorate.tools.repository.git_diff import GitDiff
from quorate.tools.repository.git_log import GitLog
from quorate.tools.request_input import RequestInput

# Where a person is there to stop it, a turn still ends by itself.
_MOST_STEPS = 100


def assistant_for(
    house: House,
    modes: Modes,
    lead: SessionLead,
    project: ProjectKeeper,
    *,
    now: GetNow,
    may_call: Callable[[Scope], Awaitable[bool]],
) -> Assistant:
    is_autonomous = modes.autonomy == "autonomous"
    rules = assistant_rules(house, modes)
    team: tuple[AnyTool, ...] = () if modes.team == "never" else (LaunchRun(lead), GetRun(lead))
    asking: tuple[AnyTool, ...] = () if is_autonomous else (RequestInput(lead.ask_person),)
    repository = (GitLog(house.live, rules), GitDiff(house.live, rules))
    return Assistant(
        model=house.team.assistant_model(),
        rules=rules,
        tools=(*team, *asking, *reading_tools(house.live, rules), *repository, UpdateProject(project)),
        most_steps=house.team.settings.orchestrator.interactive_mode.max_steps if is_autonomous else _MOST_STEPS,
        now=now,
        may_call=may_call,
    )
