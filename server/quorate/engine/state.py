"""A run as its facts have made it. Immutable: a fact makes a new state, nothing changes one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from quorate.engine.clock import Clock
from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.protocol.changes import Change, FileChoice, SettledFile
from quorate.protocol.decisions import BudgetDetail, BudgetSpent
from quorate.protocol.events import AgentPurpose, Seen
from quorate.protocol.findings import Finding
from quorate.protocol.ids import AgentId, AnswerId, DecisionId, FindingId, RunId
from quorate.protocol.modes import Autonomy
from quorate.protocol.plans import Plan
from quorate.protocol.runs import ApplyChanges, ResolvedRunSpec
from quorate.protocol.views import RunOutcome

Standing = Literal["live", "abstained", "failed", "timed_out"]
Pressure = Literal["none", "wrap_up", "tools_closed", "over"]
Brought = Literal["answered", "voted", "finished"]
DecisionKind = Literal["run", "plan", "changes", "input", "override", "budget", "command", "resume"]
SelectedBy = Literal["votes", "override", "only", "timeout"]

NOTHING_SEEN = Seen()


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    answer_id: AnswerId
    label: str
    agent_id: AgentId
    content: str
    plan: Plan | None
    files: tuple[str, ...]
    submitted_at: datetime
    # How many of the run's messages its agent had been shown by then.
    seen_messages: int


@dataclass(frozen=True, slots=True)
class Ballot:
    number: int
    voter: AgentId
    target: AgentId
    reason: str
    seen: Seen
    disputed: frozenset[FindingId] = frozenset()


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """One agent's remark."""

    agent_id: AgentId
    finding: Finding


@dataclass(frozen=True, slots=True)
class Message:
    """A person's word to agents at work."""

    to: tuple[AgentId, ...]
    text: str
    after_vote: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """An agent at work: from one start to the answer, vote or text it brings."""

    number: int
    purpose: AgentPurpose
    started: datetime
    pressure: Pressure = "none"
    brought: Brought | None = None
    plain_texts: int = 0
    mistakes: int = 0
    # The model calls of which something came, so that a restart gives the attempt no more than it had.
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Agent:
    agent_id: AgentId
    standing: Standing = "live"
    attempts: int = 0
    attempt: Attempt | None = None
    seen: Seen = NOTHING_SEEN
    # The run's messages up to the last one that was for this agent, sent before the vote was over.
    addressed: int = 0
    answers: int = 0
    latest: GivenAnswer | None = None
    ballot: Ballot | None = None
    # The last text of the latest attempt: the presentation, or what there is of it.
    text: str = ""
    spending: Spending = NOTHING_SPENT
    error: str | None = None

    def has_ended(self, attempt: int) -> bool:
        return self.attempts >= attempt and (self.attempt is None or self.attempt.number != attempt)


@dataclass(frozen=True, slots=True)
class PendingDecision:
    kind: DecisionKind
    agent_id: AgentId | None


@dataclass(frozen=True, slots=True)
class Approved:
    """A person's yes, with what they changed and added."""

    edits: Mapping[str, Any] | None = None
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    words: str = ""


Verdict = Approved | Refused


@dataclass(frozen=True, slots=True)
class Winner:
    agent_id: AgentId
    tally: Mapping[AgentId, int]
    by: SelectedBy


@dataclass(frozen=True, slots=True)
class Override:
    closed: bool = False
    choice: AgentId | None = None


@dataclass(frozen=True, slots=True)
class BudgetUse:
    reached: BudgetDetail | None = None
    # What had been spent when a person last let the run go on.
    granted: BudgetSpent | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Presented:
    agent_id: AgentId
    text: str


@dataclass(frozen=True, slots=True)
class Presentation:
    presenter: AgentId | None = None
    unable: frozenset[AgentId] = frozenset()
    done: Presented | None = None


@dataclass(frozen=True, slots=True)
class ChildRun:
    run_id: RunId
    cancel_requested: bool = False
    outcome: RunOutcome | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Planning:
    plan: Plan | None = None
    path: str = ""
    verdict: Verdict | None = None
    execution: ChildRun | None = None


@dataclass(frozen=True, slots=True)
class ChangesVerdict:
    approved: bool
    # Of an approved change set only these; None is all of it.
    files: tuple[FileChoice, ...] | None = None


@dataclass(frozen=True, slots=True)
class ChangeSet:
    proposed: tuple[Change, ...] | None = None
    verdict: ChangesVerdict | None = None
    settled: tuple[SettledFile, ...] | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    outcome: RunOutcome
    at: datetime
    written: tuple[str, ...]
    spending: Spending


@dataclass(frozen=True, slots=True)
class QueuedRun:
    """A run that waits for its approval."""

    run_id: RunId
    spec: ResolvedRunSpec
    queued_at: datetime
    pending: tuple[DecisionId, ...] = ()
    approval: Verdict | None = None
    cancel_requested: bool = False
    finished: Finished | None = None


@dataclass(frozen=True, slots=True)
class RunState:
    """A run under way, or finished."""

    run_id: RunId
    spec: ResolvedRunSpec
    parent_run_id: RunId | None
    autonomy: Autonomy
    apply_changes: ApplyChanges
    started_at: datetime
    last_fact_at: datetime
    clock: Clock
    agents: Mapping[AgentId, Agent]
    pending: Mapping[DecisionId, PendingDecision] = field(default_factory=dict[DecisionId, PendingDecision])
    answers: tuple[GivenAnswer, ...] = ()
    latest_first_answer: datetime | None = None
    votes: tuple[Ballot, ...] = ()
    findings: tuple[ReportedFinding, ...] = ()
    messages: tuple[Message, ...] = ()
    grace_elapsed: bool = False
    timed_out: bool = False
    cancel_requested: bool = False
    budget: BudgetUse = BudgetUse()
    winner: Winner | None = None
    override: Override = Override()
    # The run's messages up to the last one that came after the vote: they are the presenter's.
    presenter_addressed: int = 0
    presentation: Presentation = Presentation()
    planning: Planning = Planning()
    changes: ChangeSet = ChangeSet()
    finished: Finished | None = None

    @property
    def is_direct(self) -> bool:
        """A single agent that just answers: nothing is voted on or presented."""
        return self.spec.agent_mode == "single" and not self.spec.refinement

    @property
    def serves_writes(self) -> bool:
        """Whether the run may change the user's files at its end. A plan is only ever carried out by another run."""
        return not self.spec.planning_mode and any(path.permission == "write" for path in self.spec.context_paths)

    def is_pending(self, kind: DecisionKind) -> bool:
        return any(decision.kind == kind for decision in self.pending.values())


Run = QueuedRun | RunState
