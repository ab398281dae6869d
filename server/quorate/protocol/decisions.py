"""Whatever waits for a person. Durable: it survives a restart, is answered once, and silence is never a yes."""

from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field
from typing_extensions import TypeAliasType

from quorate.protocol.base import Maybe, Wire
from quorate.protocol.changes import Change
from quorate.protocol.ids import AgentId, AnswerId, DecisionId, RunId, SessionId
from quorate.protocol.plans import Plan
from quorate.protocol.runs import Permission, ResolvedRunSpec
from quorate.protocol.usage import Budget, Usage

ResolvedBy = Literal["user", "timeout", "policy", "cancelled"]


class Choice(Wire):
    id: str
    label: str


class PathScope(Wire):
    """A context path of a run, with the number of files below it."""

    path: str
    permission: Permission
    count: int


class CostEstimate(Wire):
    usd_low: float
    usd_high: float


class RunDetail(Wire):
    spec: ResolvedRunSpec
    files: tuple[PathScope, ...]
    estimate: CostEstimate | None
    reason: str


class PlanDetail(Wire):
    plan: Plan
    path: str


class ChangesDetail(Wire):
    changes: tuple[Change, ...]


class InputDetail(Wire):
    question: str
    choices: tuple[str, ...] = ()
    agent_id: Maybe[AgentId] = None


class AnswerBrief(Wire):
    answer_id: AnswerId
    label: str
    agent_id: AgentId
    content: str
    truncated: Maybe[bool] = None


class OverrideDetail(Wire):
    answers: tuple[AnswerBrief, ...]


class BudgetSpent(Wire):
    usd: float | None
    tokens: int
    seconds: float
    usage: Usage


class BudgetDetail(Wire):
    """`limit` is all that may be spent up to the next question, what is spent already included."""

    of: Literal["run", "session"] = "run"
    spent: BudgetSpent
    limit: Budget


class CommandDetail(Wire):
    argv: tuple[str, ...]
    cwd: str


class ResumeDetail(Wire):
    what: Literal["turn", "run"]
    task: str
    done: str


class _Decision(Wire):
    decision_id: DecisionId
    title: str
    choices: tuple[Choice, ...]
    expires_at: Maybe[AwareDatetime] = None
    # What it belongs to; set in `quorate.status` only, where no envelope and no view says it.
    session_id: Maybe[SessionId] = None
    run_id: Maybe[RunId] = None


class RunDecision(_Decision):
    kind: Literal["run"] = "run"
    detail: RunDetail


class PlanDecision(_Decision):
    kind: Literal["plan"] = "plan"
    detail: PlanDetail


class ChangesDecision(_Decision):
    kind: Literal["changes"] = "changes"
    detail: ChangesDetail


class InputDecision(_Decision):
    kind: Literal["input"] = "input"
    detail: InputDetail


class OverrideDecision(_Decision):
    kind: Literal["override"] = "override"
    detail: OverrideDetail


class BudgetDecision(_Decision):
    kind: Literal["budget"] = "budget"
    detail: BudgetDetail


class CommandDecision(_Decision):
    kind: Literal["command"] = "command"
    detail: CommandDetail


class ResumeDecision(_Decision):
    kind: Literal["resume"] = "resume"
    detail: ResumeDetail


Decision = TypeAliasType(
    "Decision",
    Annotated[
        RunDecision
        | PlanDecision
        | ChangesDecision
        | InputDecision
        | OverrideDecision
        | BudgetDecision
        | CommandDecision
        | ResumeDecision,
        Field(discriminator="kind"),
    ],
)


class Resolution(Wire):
    """How a decision was taken: what a second answer is told with its 409."""

    decision_id: DecisionId
    choice: str
    by: ResolvedBy
    edits: Maybe[dict[str, Any]] = None
    text: Maybe[str] = None
