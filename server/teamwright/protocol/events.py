"""The facts. One closed union: the store's row, the notification's payload and the test's snapshot are the same JSON.

Each class says whether it is durable: durable events are on disk before any client sees them and count in `seq`.
"""

from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import AliasChoices, Field
from typing_extensions import TypeAliasType

from teamwright.protocol.base import Maybe, Wire, Words
from teamwright.protocol.changes import Change, SettledFile
from teamwright.protocol.checks import (
    Candidate,
    CheckCounts,
    CheckFailure,
    CheckOutcome,
    CheckProblem,
    CheckSubject,
    CheckView,
)
from teamwright.protocol.decisions import BudgetSpent, Decision, ResolvedBy
from teamwright.protocol.findings import AgreedFinding, Finding, Reproduction
from teamwright.protocol.ids import AgentId, AnswerId, DecisionId, FindingId, ItemId, RunId
from teamwright.protocol.items import Attachment, Item
from teamwright.protocol.modes import Autonomy, Modes
from teamwright.protocol.plans import Plan, TaskList
from teamwright.protocol.runs import Consent, ResolvedRunSpec
from teamwright.protocol.transcript import PatchOp
from teamwright.protocol.usage import Budget, Usage, Usd
from teamwright.protocol.views import PlanExecution, RunAnalysis, RunOutcome, RunResult, RunView, SessionSummary

AgentPurpose = Literal["answer", "plan", "present"]
StopReason = Literal["answered", "voted", "abstained", "superseded", "timeout", "failed", "cancelled", "finished"]
TimerName = Literal[
    "run", "budget", "first_answer_grace", "checks_wait", "round_wrap_up", "round_tools_closed", "round_over"
]
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
    cost_usd: Maybe[Usd] = None


class HiddenTextFound(_Durable):
    """A file that the assistant follows holds words that its reader does not see. Kept, so that whoever opens the
    session later is told, too; `digest` is of the file's text, about which nothing is told twice."""

    type: Literal["hidden_text.found"] = "hidden_text.found"
    text: Words
    digest: str


class SessionResync(_Transient):
    type: Literal["session.resync"] = "session.resync"
    last_seq: int


class TurnQueued(_Durable):
    type: Literal["turn.queued"] = "turn.queued"
    text: str
    truncated: Maybe[bool] = None
    attachments: tuple[Attachment, ...] = ()
    # In force from its start on, where the message came with modes of its own.
    modes: Maybe[Modes] = None


class TurnStarted(_Durable):
    type: Literal["turn.started"] = "turn.started"
    text: str
    truncated: Maybe[bool] = None


class TurnFinished(_Durable):
    type: Literal["turn.finished"] = "turn.finished"
    outcome: Literal["completed", "cancelled", "failed"]
    error: Maybe[str] = None
    usage: Usage
    cost_usd: Maybe[Usd] = None


class ItemStarted(_Durable):
    type: Literal["item.started"] = "item.started"
    item: Item
    # Which model call of its turn or attempt it came of, from 1 on; what a person said came of none.
    step: Maybe[int] = None
    # What the model calls of its turn have used since the last item that said so; of an attempt its end tells.
    usage: Maybe[Usage] = None
    cost_usd: Maybe[Usd] = None


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
    # As of `item.started`.
    usage: Maybe[Usage] = None
    cost_usd: Maybe[Usd] = None


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


class TasksUpdated(_Durable):
    """The whole list as it is from now on: by the assistant in its turn, by a person, or as runs begin and end."""

    type: Literal["tasks.updated"] = "tasks.updated"
    tasks: TaskList


class RunStarted(_Durable):
    type: Literal["run.started"] = "run.started"
    spec: ResolvedRunSpec
    parent_run_id: Maybe[RunId] = None
    # Ids of the tasks of its parent's plan that it carries out; not there where it is all of them.
    plan_tasks: Maybe[tuple[str, ...]] = None
    autonomy: Autonomy = "hitl"
    # What the permissions said when it started; nothing asks them again.
    apply_changes: Consent = "ask"
    execute_plan: Consent = "ask"


class CancelRequested(_Durable):
    """Somebody wants the run or turn to end; it does so with its `finished`, once everything at work has stopped."""

    type: Literal["cancel.requested"] = "cancel.requested"


class TimerElapsed(_Durable):
    """Time passed, as a fact: the `round_…` ones are about an agent's attempt, `checks_wait` about what is checked,
    the others about the run."""

    type: Literal["timer.elapsed"] = "timer.elapsed"
    timer: TimerName
    attempt: Maybe[int] = None
    of: Maybe[CheckSubject] = None


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
    cost_usd: Maybe[Usd] = None
    # Of a presenter that has finished: what it wants to change.
    candidate: Maybe[Candidate] = None


class AnswerSubmitted(_Durable):
    type: Literal["answer.submitted"] = "answer.submitted"
    answer_id: AnswerId
    label: str
    content: str
    plan: Maybe[Plan] = None
    # What the agent had written by then, below `answers/<label>/`.
    files: Maybe[tuple[str, ...]] = None
    # What it changes in the user's files.
    candidate: Maybe[Candidate] = None
    truncated: Maybe[bool] = None


class VoteCast(_Durable):
    type: Literal["vote.cast"] = "vote.cast"
    target: AgentId
    reason: str
    disputed: Maybe[tuple[FindingId, ...]] = None


class CheckStarted(_Durable):
    """`change_set_id` says which bytes are checked; the base has none."""

    type: Literal["check.started"] = "check.started"
    of: CheckSubject
    name: str
    change_set_id: Maybe[str] = None


class CheckFinished(_Durable):
    type: Literal["check.finished"] = "check.finished"
    of: CheckSubject
    name: str
    change_set_id: Maybe[str] = None
    outcome: CheckOutcome
    exit_code: Maybe[int] = None
    seconds: float
    tests: Maybe[CheckCounts] = None
    failures: tuple[CheckFailure, ...] = ()
    # Bounded: its beginning and its end.
    output: str = ""
    # The same bytes had been checked before.
    reused: Maybe[bool] = None
    # A fingerprint of the workspace that it ran on.
    tree: Maybe[str] = None
    truncated: Maybe[bool] = None


class CheckCompared(_Durable):
    """What a candidate makes worse than it is without it: names are bounded, counts are not."""

    type: Literal["check.compared"] = "check.compared"
    of: CheckSubject
    name: str
    change_set_id: Maybe[str] = None
    broke: tuple[str, ...] = ()
    broke_count: int = 0
    # Failed without the candidate, and were taken away or skipped instead of being mended.
    not_fixed: int = 0
    # Vary by themselves: they judge nobody.
    flaky: tuple[str, ...] = ()


class CheckOutput(_Transient):
    type: Literal["check.output"] = "check.output"
    of: CheckSubject
    name: str
    text: str


class MessageShared(_Durable):
    type: Literal["message.shared"] = "message.shared"
    sender: str = Field(validation_alias=AliasChoices("from", "sender"), serialization_alias="from")
    to: tuple[AgentId, ...]
    text: str
    # Between agents; a person's word to them has none.
    part: Maybe[Literal["question", "answer"]] = None
    truncated: Maybe[bool] = None


class CheckProblemsShown(_Transient):
    """At a person's wish, in place of those that were shown before; none: they are taken away."""

    type: Literal["check.problems"] = "check.problems"
    of: CheckSubject
    problems: tuple[CheckProblem, ...]


class FindingReported(_Durable):
    type: Literal["finding.reported"] = "finding.reported"
    finding: Finding
    # What was run to reproduce it.
    reproduction: Maybe[Reproduction] = None


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
    by: Literal["votes", "checks", "override", "only", "timeout"]
    # What a person should know of it, in a sentence.
    note: Maybe[str] = None


class PlanProposed(_Durable):
    type: Literal["plan.proposed"] = "plan.proposed"
    plan: Plan
    path: str


class ChangesProposed(_Durable):
    type: Literal["changes.proposed"] = "changes.proposed"
    changes: tuple[Change, ...]
    # Which bytes: the checks that name it were run on exactly these.
    change_set_id: Maybe[str] = None
    # The workspace is no longer the one that was checked.
    moved: Maybe[bool] = None


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
    cost_usd: Maybe[Usd] = None
    error: Maybe[str] = None
    # Of what it proposed, where that was checked.
    checks: Maybe[tuple[CheckView, ...]] = None
    # Of a run that made a plan: what became of it.
    execution: Maybe[PlanExecution] = None


class RunAnalyzed(_Durable):
    """Somebody wanted to know what can be learned from the run, or what a model makes of it."""

    type: Literal["run.analyzed"] = "run.analyzed"
    analysis: RunAnalysis
    opinion: Maybe[str] = None
    # What the opinion has used.
    usage: Maybe[Usage] = None
    cost_usd: Maybe[Usd] = None


class RunUpdated(_Transient):
    type: Literal["run.updated"] = "run.updated"
    run: RunView


class UsageReported(_Transient):
    type: Literal["usage.reported"] = "usage.reported"
    usage: Usage
    cost_usd: Maybe[float] = None
    session_cost_usd: Maybe[float] = None


class TranscriptPatched(_Transient):
    """Of a session's transcript, or of a run's where the envelope names one. A gap in `rev` means: open it again."""

    type: Literal["transcript.patched"] = "transcript.patched"
    rev: int
    patch: tuple[PatchOp, ...]


class NoticeRaised(_Transient):
    type: Literal["notice.raised"] = "notice.raised"
    level: Literal["info", "warning", "error"]
    text: Words
    hint: Maybe[Words] = None


DurableEvent = (
    SessionCreated
    | SessionUpdated
    | SessionCompacted
    | HiddenTextFound
    | TurnQueued
    | TurnStarted
    | TurnFinished
    | ItemStarted
    | ItemFinished
    | DecisionRequested
    | DecisionResolved
    | TasksUpdated
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
    | CheckStarted
    | CheckFinished
    | CheckCompared
    | MessageShared
    | FindingReported
    | FindingDismissed
    | WinnerSelected
    | PlanProposed
    | ChangesProposed
    | ChangesSettled
    | RunFinished
    | RunAnalyzed
)
TransientEvent = (
    SessionResync
    | ItemDelta
    | CheckOutput
    | CheckProblemsShown
    | FindingsUpdated
    | RunUpdated
    | UsageReported
    | TranscriptPatched
    | NoticeRaised
)
AnyEvent = DurableEvent | TransientEvent
Event = TypeAliasType("Event", Annotated[AnyEvent, Field(discriminator="type")])

EVENT_CLASSES: dict[str, type[AnyEvent]] = {cls.model_fields["type"].default: cls for cls in get_args(AnyEvent)}
