"""The assistant of a session as it is for one turn: settings and modes may change from one to the next."""

from quorate.permissions.rules import Rules, whole_workspace
from quorate.protocol.modes import Modes
from quorate.protocol.runs import RunSpec
from quorate.runtime.context.asking import GetNow
from quorate.runtime.decisions import Decisions
from quorate.runtime.house import House
from quorate.runtime.journal import Scope
from quorate.runtime.lead import Report, SessionLead
from quorate.runtime.runs.active_run import ActiveRun
from quorate.runtime.runs.defaults import run_approval
from quorate.runtime.runs.desk import Request, RunDesk
from quorate.runtime.turn import Assistant
from quorate.tools.assistant.get_run import GetRun
from quorate.tools.assistant.launch_run import LaunchRun
from quorate.tools.files.toolkit import reading_tools
from quorate.tools.port import AnyTool
from quorate.tools.repository.git_diff import GitDiff
from quorate.tools.repository.git_log import GitLog
from quorate.tools.request_input import RequestInput

# Where a person is there to stop it, a turn still ends by itself.
_MOST_STEPS = 100


def assistant_for(
    house: House, modes: Modes, desk: RunDesk, decisions: Decisions, scope: Scope, *, report: Report, now: GetNow
) -> Assistant:
    async def launch(spec: RunSpec, scope: Scope) -> ActiveRun:
        run, _ = await desk.launch(Request(by_assistant=spec), turn_id=scope.turn_id)
        return run

    is_autonomous = modes.autonomy == "autonomous"
    rules = _rules(house, modes)
    lead = SessionLead(scope, launch=launch, find=desk.run, report=report, decisions=decisions)
    team: tuple[AnyTool, ...] = () if modes.team == "never" else (LaunchRun(lead), GetRun(lead))
    asking: tuple[AnyTool, ...] = () if is_autonomous else (RequestInput(lead.ask_person),)
    repository = (GitLog(house.live, rules), GitDiff(house.live, rules))
    return Assistant(
        model=house.team.assistant_model(),
        rules=rules,
        tools=(*team, *asking, *reading_tools(house.live, rules), *repository),
        most_steps=house.team.settings.orchestrator.interactive_mode.max_steps if is_autonomous else _MOST_STEPS,
        now=now,
    )


def _rules(house: House, modes: Modes) -> Rules:
    places = house.premises.folders.places
    return Rules(
        role="assistant",
        places=places,
        roots=whole_workspace(places),
        autonomy=modes.autonomy,
        trusted=house.premises.trusted,
        repository=True,
        run_approval=run_approval(house.team.settings),
    )
