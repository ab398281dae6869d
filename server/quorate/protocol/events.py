"""The facts. One closed union: the store's row, the notification's payload and the test's snapshot are the same JSON.

Each class says whether it is durable: durable events are on disk before any client sees them and count in `seq`.
"""

from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import AliasChoices, Field
from typing_extensions import TypeAliasType

from quorate.protocol.base import Maybe, Wire
from quorate.protocol.changes import Change, SettledFile
from quorate.protocol.decisions import BudgetSpent, Decision, ResolvedBy
from quorate.protocol.findings import AgreedFinding, Finding
from quorate.protocol.ids import AgentId, AnswerId, DecisionId, FindingId, ItemId, RunId
from quorate.protocol.items import Attachment, Item
from quorate.protocol.modes import Autonomy
from quorate.protocol.plans import Plan
from quorate.protocol.runs import ApplyChanges, ResolvedRunSpec
from quorate.protocol.usage import Budget, Usage
from quorate.protocol.views import RunOutcome, RunResult, RunView, SessionSummary

AgentPurpose = Literal["answer", "plan", "present"]
StopReason = Literal["answered", "voted", "abstained", "superseded", "timeout", "failed", "cancelled", "finished"]
TimerName = Literal["run", "budget", "first_answer_grace", "round_wrap_up", "round_tools_closed", "round_over"]
Misstep = Literal["plain_text", "bad_call", "refused"]


class Seen(Wire):
    """How far an agent was shown the run: that many of its answers and of its messages, from the first on."""

    answers: int = 0
    messages: int = 0


class _Durable(Wire):
    durable: ClassVar[bool] = True


class _Transient(Wire):
    durable: ClassVar[bool] = False


class SessionCreated(_Durable):
    type: Literal["session.created"] = "session.created"
    session: SessionSummary


class SessionUpdated(_Durable):
    type: Literal["session.updated"] = "session.updated"
    session: SessionSummary


class SessionCompacted(_Durable):
    type: Literal["session.compacted"] = "session.compacted"
    summary: str
    up_to_seq: int
    # Of one that the user wanted; those that a turn needed are part of what the turn used.
    usage: Maybe[Usage] = None
    cost_usd: Maybe[float] = None


class SessionResync(_Transient):
    type: Literal["session.resync"] = "session.resync"
    last_seq: int


class TurnQueued(_Durable):
    type: Literal["turn.queued"] = "turn.queued"
    text: str
    truncated: Maybe[bool] = None
    attachments: tuple[Attachment, ...] = ()


class TurnStarted(_Durable):
    type: Literal["turn.started"] = "turn.started"
    text: str
    truncated: Maybe[bool] = None


class TurnFinished(_Durable):
    type: Literal["turn.finished"] = "turn.finished"
    outcome: Literal["completed", "cancelled", "failed"]
    error: Maybe[str] = None
    usage: Usage
    cost_usd: Maybe[float] = None


class ItemStarted(_Durable):
    type: Literal["item.started"] = "item.started"
    item: Item
    # Which model call of its turn or attempt it came of, from 1 on; what a person said came of none.
    step: Maybe[int] = None


class ItemDelta(_Transient):
    """`offset` counts code points of the item's text, so that a client can see a gap."""

    type: Literal["item.delta"] = "item.delta"
    item_id: ItemId
    offset: int
    text: str


class ItemFinished(_Durable):
    type: Literal["item.finished"] = "item.finished"
    item: Item
    # Whether the assistant has no more to say: of its turn only the end is missing.
    ends_turn: Maybe[bool] = None


class DecisionRequested(_Durable):
    type: Literal["decision.requested"] = "decision.requested"
    decision: Decision


class DecisionResolved(_Durable):
    type: Literal["decision.resolved"] = "decision.resolved"
    decision_id: DecisionId
    choice: str
    by: ResolvedBy
    edits: Maybe[dict[str, Any]] = None
    text: Maybe[str] = None


class RunStarted(_Durable):
    type: Literal["run.started"] = "run.started"
    spec: ResolvedRunSpec
    parent_run_id: Maybe[RunId] = None
    autonomy: Autonomy = "hitl"
    apply_changes: ApplyChanges = "ask"


class CancelRequested(_Durable):
    """Somebody wants the run to end; it ends with `run.finished`, once everything at work has stopped."""

    type: Literal["cancel.requested"] = "cancel.requested"


class TimerElapsed(_Durable):
    """Time passed, as a fact: the `round_…` ones are about an agent's attempt, the others about the run."""

    type: Literal["timer.elapsed"] = "timer.elapsed"
    timer: TimerName
    attempt: Maybe[int] = None


class BudgetReached(_Durable):
    type: Literal["budget.reached"] = "budget.reached"
    spent: BudgetSpent
    # Where it is not the run's own budget but that of its session, with all that the session has spent.
    session_limit: Maybe[Budget] = None


class AgentStarted(_Durable):
    type: Literal["agent.started"] = "agent.started"
    attempt: int
    purpose: AgentPurpose
    seen: Maybe[Seen] = None


class AgentInformed(_Durable):
    """An agent at work was shown what is new, before the model call that can make use of it."""

    type: Literal["agent.informed"] = "agent.informed"
    attempt: int
    seen: Seen


class AgentCorrected(_Durable):
    """An agent did what does not count: text where a vote was due, a faulty call, a refused answer. It was told so."""

    type: Literal["agent.corrected"] = "agent.corrected"
    attempt: int
    misstep: Misstep
    text: str


class AgentStopped(_Durable):
    type: Literal["agent.stopped"] = "agent.stopped"
    attempt: int
    reason: StopReason
    error: Maybe[str] = None
    usage: Usage
    cost_usd: Maybe[float] = None


class AnswerSubmitted(_Durable):
    type: Literal["answer.submitted"] = "answer.submitted"
    answer_id: AnswerId
    label: str
    content: str
    plan: Maybe[Plan] = None
    # What the agent had written by then, below `answers/<label>/`.
    files: Maybe[tuple[str, ...]] = None
    truncated: Maybe[bool] = None


class VoteCast(_Durable):
    type: Literal["vote.cast"] = "vote.cast"
    target: AgentId
    reason: str
    disputed: Maybe[tuple[FindingId, ...]] = None


class MessageShared(_Durable):
    type: Literal["message.shared"] = "message.shared"
    sender: str = Field(validation_alias=AliasChoices("from", "sender"), serialization_alias="from")
    to: tuple[AgentId, ...]
    text: str
    truncated: Maybe[bool] = None


class FindingReported(_Durable):
    type: Literal["finding.reported"] = "finding.reported"
    finding: Finding


class FindingDismissed(_Durable):
    """The user wants to see no more of these. The ids are those of all remarks behind a finding."""

    type: Literal["finding.dismissed"] = "finding.dismissed"
    finding_ids: tuple[FindingId, ...]


class FindingsUpdated(_Transient):
    """All findings of the session."""

    type: Literal["findings.updated"] = "findings.updated"
    findings: tuple[AgreedFinding, ...]


class WinnerSelected(_Durable):
    type: Literal["winner.selected"] = "winner.selected"
    agent_id: AgentId
    tally: dict[AgentId, int]
    by: Literal["votes", "override", "only", "timeout"]


class PlanProposed(_Durable):
    type: Literal["plan.proposed"] = "plan.proposed"
    plan: Plan
    path: str


class ChangesProposed(_Durable):
    type: Literal["changes.proposed"] = "changes.proposed"
    changes: tuple[Change, ...]


class ChangesSettled(_Durable):
    type: Literal["changes.settled"] = "changes.settled"
    settled: tuple[SettledFile, ...]


class RunFinished(_Durable):
    type: Literal["run.finished"] = "run.finished"
    outcome: RunOutcome
    result: Maybe[RunResult] = None
    footer: Maybe[str] = None
    written: tuple[str, ...] = ()
    usage: Usage
    cost_usd: Maybe[float] = None
    error: Maybe[str] = None


class RunUpdated(_Transient):
    type: Literal["run.updated"] = "run.updated"
    run: RunView


class UsageReported(_Transient):
    type: Literal["usage.reported"] = "usage.reported"
    usage: Usage
    cost_usd: Maybe[float] = None
    session_cost_usd: Maybe[float] = None


class NoticeRaised(_Transient):
    type: Literal["notice.raised"] = "notice.raised"
    level: Literal["info", "warning", "error"]
    text: str
    hint: Maybe[str] = None


DurableEvent = (
    SessionCreated
    | SessionUpdated
    | SessionCompacted
    | TurnQueued
    | TurnStarted
    | TurnFinished
    | ItemStarted
    | ItemFinished
    | DecisionRequested
    | DecisionResolved
    | RunStarted
    | CancelRequested
    | TimerElapsed
    | BudgetReached
    | AgentStarted
    | AgentInformed
    | AgentCorrected
    | AgentStopped
    | AnswerSubmitted
    | VoteCast
    | MessageShared
    | FindingReported
    | FindingDismissed
    | WinnerSelected
    | PlanProposed
    | ChangesProposed
    | ChangesSettled
    | RunFinished
)
TransientEvent = SessionResync | ItemDelta | FindingsUpdated | RunUpdated | UsageReported | NoticeRaised
AnyEvent = DurableEvent | TransientEvent
Event = TypeAliasType("Event", Annotated[AnyEvent, Field(discriminator="type")])

EVENT_CLASSES: dict[str, type[AnyEvent]] = {cls.model_fields["type"].default: cls for cls in get_args(AnyEvent)}
