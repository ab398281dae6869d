"""Events told in lines, one after another."""

from collections.abc import Iterator, Mapping

from quorate.cli.terminal.printable import on_one_line
from quorate.cli.terminal.talk import Line, Tone
from quorate.cli.terminal.wording import shown_file
from quorate.protocol.changes import SettledFile
from quorate.protocol.events import (
    AgentStarted,
    AgentStopped,
    AnswerSubmitted,
    BudgetReached,
    ChangesSettled,
    MessageShared,
    NoticeRaised,
    PlanProposed,
    RunStarted,
    VoteCast,
    WinnerSelected,
)
from quorate.protocol.ids import AgentId
from quorate.protocol.records import EventRecord
from quorate.protocol.runs import ResolvedRunSpec

_LEVELS: dict[str, Tone] = {"info": "faint", "warning": "strong", "error": "alarm"}


def told(record: EventRecord) -> Iterator[Line]:
    """For a reader who sees nothing else."""
    agent = record.agent_id
    match record.event:
        case RunStarted(spec=spec, parent_run_id=parent):
            yield Line(_start(spec) if parent is None else "The plan is being carried out.")
        case AgentStarted(purpose="present"):
            yield Line(f"{agent} presents.")
        case AgentStarted(attempt=1):
            yield Line(f"{agent} is at work.")
        case AnswerSubmitted(label=label):
            yield Line(f"{agent} has answered ({label}).")
        case VoteCast(target=target, reason=reason):
            yield Line(f"{agent} votes for {target}: {on_one_line(reason)}")
        case WinnerSelected(agent_id=agent, by=by, tally=tally):
            yield Line(_choice(agent, by, tally))
        case AgentStopped(reason="abstained"):
            yield Line(f"{agent} abstains.")
        case BudgetReached():
            yield Line("The budget is used up.")
        case MessageShared(to=to, text=text):
            yield Line(f"To {', '.join(to)}: {on_one_line(text)}")
        case _:
            yield from noteworthy(record)


def noteworthy(record: EventRecord) -> Iterator[Line]:
    """What is to stay on the screen, also where the run is drawn."""
    agent = record.agent_id
    match record.event:
        case AgentStopped(reason="failed", error=error):
            yield Line(f"{agent} failed: {error or 'no reason was given'}", "alarm")
        case AgentStopped(reason="timeout"):
            yield Line(f"{agent} ran out of time.", "alarm")
        case PlanProposed(plan=plan, path=path):
            yield Line(f"The plan “{plan.title}” is in {path}")
        case ChangesSettled(settled=settled):
            yield from (Line(_settled(file), "alarm") for file in settled if file.outcome == "conflicted")
        case NoticeRaised(level=level, text=text, hint=hint):
            yield Line(text if hint is None else f"{text} {hint}", _LEVELS[level])
        case _:
            return


def _start(spec: ResolvedRunSpec) -> str:
    refinement = "with refinement" if spec.refinement else "without refinement"
    team = ", ".join(spec.agents)
    return f"Planning: {team}, {refinement}." if spec.planning_mode else f"At work: {team}, {refinement}."


def _choice(agent: AgentId, by: str, tally: Mapping[AgentId, int]) -> str:
    match by:
        case "votes":
            return f"The vote is over: {agent}, by {tally.get(agent, 0)} of {sum(tally.values())}."
        case "override":
            return f"You chose {agent}."
        case "timeout":
            return f"The best answer so far is {agent}'s."
        case _:
            return f"{agent} is done."


def _settled(file: SettledFile) -> str:
    return f"{shown_file(file.uri)} was not written: {file.reason or 'it has changed meanwhile'}"
