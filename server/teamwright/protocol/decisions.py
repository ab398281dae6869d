"""Whatever waits for a person. Durable: it survives a restart, is answered once, and silence is never a yes."""

from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field
from typing_extensions import TypeAliasType

from teamwright.protocol.base import Maybe, Wire, Words
from teamwright.protocol.changes import Change
from teamwright.protocol.checks import Candidate, CheckStanding, CheckView, ProposedCheck
from teamwright.protocol.ids import AgentId, AnswerId, DecisionId, RunId, SessionId, TurnId
from teamwright.protocol.plans import Plan
from teamwright.protocol.runs import ContextPath, Permission, ResolvedRunSpec
from teamwright.protocol.usage import Budget, Usage

ResolvedBy = Literal["user", "timeout", "policy", "cancelled"]


class Choice(Wire):
    id: str
    label: Words


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
    # Those of a run that changes files; where only `writing` would make it one, as they would then run.
    checks: tuple[ProposedCheck, ...] = ()
    # Why none can be run, where that is so.
    checks_off: Maybe[str] = None
    # Of a run that only reads: its paths as a person may grant them, with those that could be changed.
    writing: Maybe[tuple[ContextPath, ...]] = None
    # Checks and commands run with all that the user may do, by their own configuration.
    without_sandbox: Maybe[bool] = None


class PlanDetail(Wire):
    plan: Plan
    path: str


class ChangesDetail(Wire):
    """`checks` are those of exactly these bytes; `moved`: the workspace is no longer the one that was checked."""

    changes: tuple[Change, ...]
    checks: tuple[CheckView, ...] = ()
    moved: Maybe[bool] = None


class InputDetail(Wire):
    question: str
    choices: tuple[str, ...] = ()
    agent_id: Maybe[AgentId] = None


class AnswerBrief(Wire):
    answer_id: AnswerId
    label: str
    agent_id: AgentId
    content: str
    candidate: Maybe[Candidate] = None
    changes: Maybe[tuple[Change, ...]] = None
    checks: tuple[CheckView, ...] = ()
    standing: Maybe[CheckStanding] = None
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


# What a server says of its tool. Nobody vouches for it.
ToolTrait = Literal["read_only", "destructive"]


class ToolDetail(Wire):
    """A call of an MCP server's tool that the user has not decided on for good."""

    server: str
    tool: str
    description: Words
    arguments: dict[str, Any]
    traits: tuple[ToolTrait, ...] = ()
    # The user has decided on a tool of this name that had another description.
    changed: Maybe[bool] = None
    # The hash of what was decided on: where the server is, the tool's description, schema and traits.
    pin: str


class MemoryDetail(Wire):
    """What the assistant wants to remember from now on: of the user, in every workspace, or of this workspace."""

    text: Words
    origin: Words
    of: Literal["user", "workspace"]


class ResumeItem(Wire):
    """Something that was at work, where there was more than one."""

    what: Literal["turn", "run"]
    id: TurnId | RunId
    task: str


class ResumeDetail(Wire):
    what: Literal["turn", "run", "session"]
    task: str
    done: str
    items: Maybe[tuple[ResumeItem, ...]] = None


class _Decision(Wire):
    decision_id: DecisionId
    title: Words
    choices: tuple[Choice, ...]
    expires_at: Maybe[AwareDatetime] = None
    # What it belongs to; set in `teamwright.status` only, where no envelope and no view says it.
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


class ToolDecision(_Decision):
    kind: Literal["tool"] = "tool"
    detail: ToolDetail


class MemoryDecision(_Decision):
    kind: Literal["memory"] = "memory"
    detail: MemoryDetail


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
        | ToolDecision
        | MemoryDecision
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
