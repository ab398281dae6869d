"""What a state wants. Levels, not edges: a command stands for as long as the state wants it.

The runtime keeps what runs equal to what is wanted. It starts a `Work` whose `(agent_id, attempt)` is not at work and
hands the present `Work` of those that are to their loops; it keeps exactly the wanted timers armed; every other command
it carries out, and the fact that comes of it makes the state stop wanting it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from teamwright.engine.run.state import Pressure, SelectedBy
from teamwright.engine.spending import Spending
from teamwright.protocol.changes import FileChoice
from teamwright.protocol.checks import CheckSubject, CheckView
from teamwright.protocol.decisions import BudgetDetail, ChangesDetail, Choice, OverrideDetail, PlanDetail
from teamwright.protocol.events import Seen, StopReason, TimerName
from teamwright.protocol.ids import AgentId, DecisionId, RunId
from teamwright.protocol.plans import Plan
from teamwright.protocol.runs import FinalAnswerStrategy, ResolvedRunSpec
from teamwright.protocol.views import PlanExecution, RunOutcome, RunResult

WorkflowTool = Literal["new_answer", "submit_plan", "vote"]
Stage = Literal["first_answer", "evaluation"]


@dataclass(frozen=True, slots=True)
class StartRun:
    """The run was approved: resolve its specification with the edits, and start."""

    edits: Mapping[str, Any] | None
    instructions: str


@dataclass(frozen=True, slots=True)
class Deliberate:
    """An agent answers or evaluates, in one conversation for its whole life.

    `show` is how much of the run it is to be shown: at a start all of it, while at work whatever is new, with the next
    tool result. On hold: what is at work makes no further model call for now.
    """

    agent_id: AgentId
    attempt: int
    purpose: Literal["answer", "plan"]
    stage: Stage
    tools: tuple[WorkflowTool, ...]
    show: Seen
    pressure: Pressure = "none"
    writes: bool = False
    on_hold: bool = False
    # What its copy holds where this process has none of it: its last answer's.
    start_from: str | None = None


@dataclass(frozen=True, slots=True)
class Present:
    """An agent writes the run's final text, with file tools; in planning it submits the final plan.

    `start_from` is what its copy holds at the start: the winner's candidate, or what it has brought before. `repairs`:
    what it brought falls short of the winner's own, and it has this one more try.
    """

    agent_id: AgentId
    attempt: int
    strategy: FinalAnswerStrategy
    tools: tuple[WorkflowTool, ...]
    show: Seen
    pressure: Pressure = "none"
    writes: bool = False
    on_hold: bool = False
    start_from: str | None = None
    repairs: bool = False


Work = Deliberate | Present


@dataclass(frozen=True, slots=True)
class StopAgent:
    agent_id: AgentId
    attempt: int
    reason: StopReason


@dataclass(frozen=True, slots=True)
class ArmTimer:
    """When it is due, `timer.elapsed` is a fact. A timer that is no longer wanted, or due at another time, is not."""

    timer: TimerName
    due_at: datetime
    agent_id: AgentId | None = None
    attempt: int | None = None
    of: CheckSubject | None = None


@dataclass(frozen=True, slots=True)
class RunCheck:
    """Beside everything else; when it is done, `check.finished` is a fact. One that is no longer wanted is stopped."""

    of: CheckSubject
    name: str
    change_set_id: str | None = None


@dataclass(frozen=True, slots=True)
class CompareCheck:
    """What a candidate's check says against that of the base; new failures are run once more for it."""

    of: CheckSubject
    name: str
    change_set_id: str | None = None


@dataclass(frozen=True, slots=True)
class RequestDecision:
    """With a `policy` nobody is asked: the decision is taken at once, that way."""

    detail: OverrideDetail | BudgetDetail | PlanDetail | ChangesDetail
    title: str
    choices: tuple[Choice, ...]
    expires_after: float | None = None
    policy: Literal["approve"] | None = None


@dataclass(frozen=True, slots=True)
class WithdrawDecision:
    """Nothing waits for this answer any more: the decision is resolved as cancelled."""

    decision_id: DecisionId


@dataclass(frozen=True, slots=True)
class SelectWinner:
    agent_id: AgentId
    tally: Mapping[AgentId, int]
    by: SelectedBy
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ProposePlan:
    plan: Plan


@dataclass(frozen=True, slots=True)
class ExecutePlan:
    """Start this run as a child of the present one; its approval is given. `tasks` of the plan; None is all of it."""

    spec: ResolvedRunSpec
    tasks: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CancelExecution:
    run_id: RunId


@dataclass(frozen=True, slots=True)
class ProposeChanges:
    """Compare these bytes, or of a half presentation what was staged, with what the editor shows. Where nothing
    differs, an empty `changes.settled` says so."""

    agent_id: AgentId
    partial: bool
    change_set_id: str | None = None


@dataclass(frozen=True, slots=True)
class SettleChanges:
    """By a policy, files that a person has to look at first stay proposed."""

    approved: bool
    files: tuple[FileChoice, ...] | None
    by_policy: bool = False


@dataclass(frozen=True, slots=True)
class FinishRun:
    outcome: RunOutcome
    result: RunResult | None
    spending: Spending
    applied: tuple[str, ...] = ()
    error: str | None = None
    notice: str | None = None
    checks: tuple[CheckView, ...] = ()
    execution: PlanExecution | None = None


Command = (
    StartRun
    | Deliberate
    | Present
    | StopAgent
    | ArmTimer
    | RunCheck
    | CompareCheck
    | RequestDecision
    | WithdrawDecision
    | SelectWinner
    | ProposePlan
    | ExecutePlan
    | CancelExecution
    | ProposeChanges
    | SettleChanges
    | FinishRun
)
Wanted = tuple[Command, ...]
