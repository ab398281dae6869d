"""A run as its facts have made it. Immutable: a fact makes a new state, nothing changes one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.protocol.changes import Change, FileChoice, SettledFile
from teamwright.protocol.checks import Candidate, CheckCounts, CheckFailure, CheckOutcome, CheckSubject
from teamwright.protocol.decisions import BudgetDetail, BudgetSpent
from teamwright.protocol.events import AgentPurpose, RunFinished, Seen
from teamwright.protocol.findings import Finding, Reproduction
from teamwright.protocol.ids import AgentId, AnswerId, DecisionId, FindingId, RunId
from teamwright.protocol.modes import Autonomy
from teamwright.protocol.plans import Plan
from teamwright.protocol.runs import Consent, ResolvedRunSpec
from teamwright.protocol.views import RunOutcome


@dataclass(frozen=True, slots=True)
class Clock:
    """A reading is a moment on the run's own time; `at` is one on everybody's."""

    stopped_at: datetime | None = None
    stood: timedelta = timedelta(0)

    def reading(self, at: datetime) -> datetime:
        return (self.stopped_at or at) - self.stood

    def due_at(self, reading: datetime, seconds: float) -> datetime:
        return reading + timedelta(seconds=seconds) + self.stood

    def stop(self, at: datetime) -> "Clock":
        return self if self.stopped_at is not None else replace(self, stopped_at=at)

    def go_on(self, at: datetime) -> "Clock":
        if self.stopped_at is None:
            return self
        return replace(self, stopped_at=None, stood=self.stood + max(at - self.stopped_at, timedelta(0)))


Standing = Literal["live", "abstained", "failed", "timed_out"]
Pressure = Literal["none", "wrap_up", "tools_closed", "over"]
Brought = Literal["answered", "voted", "finished"]
DecisionKind = Literal["run", "plan", "changes", "input", "override", "budget", "command", "tool", "memory", "resume"]
# What an agent asks while it works; nobody answers for one that has been stopped.
ASKED_BY_AGENTS: Final[frozenset[DecisionKind]] = frozenset({"input", "command", "tool"})
SelectedBy = Literal["votes", "checks", "override", "only", "timeout"]

NOTHING_SEEN = Seen()


class CheckKey(NamedTuple):
    """A check on certain bytes; the base has none of its own."""

    of: CheckSubject
    name: str
    change_set_id: str | None = None


@dataclass(frozen=True, slots=True)
class KnownResult:
    outcome: CheckOutcome
    tests: CheckCounts | None
    failures: tuple[CheckFailure, ...]
    # The workspace that it ran on.
    tree: str | None


@dataclass(frozen=True, slots=True)
class KnownComparison:
    broke: tuple[str, ...]
    broke_count: int
    not_fixed: int
    flaky: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckProgress:
    is_running: bool = False
    result: KnownResult | None = None
    compared: KnownComparison | None = None

    @property
    def passed(self) -> bool:
        """What varies by itself judges nobody: a check that fails only by that has passed."""
        if self.result is None or self.result.outcome == "passed":
            return self.result is not None
        failed = self.result.tests.failed if self.result.tests is not None else 0
        flaky = len(self.compared.flaky) if self.compared is not None else 0
        return self.result.outcome == "failed" and 0 < failed <= flaky


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    answer_id: AnswerId
    label: str
    agent_id: AgentId
    content: str
    plan: Plan | None
    files: tuple[str, ...]
    candidate: Candidate | None
    submitted_at: datetime
    # The same moment on the run's own time.
    given: datetime
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
    # What was run for it.
    reproduction: Reproduction | None = field(default=None, compare=False)


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
    note: str | None = None


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
    candidate: Candidate | None = None


@dataclass(frozen=True, slots=True)
class PresentationProgress:
    presenter: AgentId | None = None
    unable: frozenset[AgentId] = frozenset()
    done: Presented | None = None
    # What it was told falls short of the winner's own: it has one more try, and if that fails, this holds.
    short: Presented | None = None
    # What the presenter has brought so far.
    draft: Candidate | None = None
    # Since when, on the run's own time, there is something to be proposed.
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class ChildRun:
    run_id: RunId
    # Ids of the tasks of the plan that it carries out; None is all of them.
    tasks: tuple[str, ...] | None = None
    cancel_requested: bool = False
    ended: RunFinished | None = None

    @property
    def outcome(self) -> RunOutcome | None:
        return None if self.ended is None else self.ended.outcome


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
    # Nobody was asked: what a person has to look at stays proposed.
    by_policy: bool = False


@dataclass(frozen=True, slots=True)
class ChangeSet:
    proposed: tuple[Change, ...] | None = None
    change_set_id: str | None = None
    moved: bool = False
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


@dataclass(frozen=True)
class RunState:
    """A run under way, or finished. Every record makes a new one, so it has no slots: see `with_changes`."""

    run_id: RunId
    spec: ResolvedRunSpec
    parent_run_id: RunId | None
    autonomy: Autonomy
    # What it may do at its end without a person's word, as judged when it started.
    apply_changes: Consent
    execute_plan: Consent
    started_at: datetime
    last_fact_at: datetime
    clock: Clock
    agents: Mapping[AgentId, Agent]
    pending: Mapping[DecisionId, PendingDecision] = field(default_factory=dict[DecisionId, PendingDecision])
    answers: tuple[GivenAnswer, ...] = ()
    latest_first_answer: datetime | None = None
    votes: tuple[Ballot, ...] = ()
    findings: tuple[ReportedFinding, ...] = ()
    checks: Mapping[CheckKey, CheckProgress] = field(default_factory=dict[CheckKey, CheckProgress])
    # Whose results nobody waits for any longer.
    checks_waited: frozenset[CheckSubject] = frozenset()
    messages: tuple[Message, ...] = ()
    # How often each agent has asked the others.
    questions: Mapping[AgentId, int] = field(default_factory=dict[AgentId, int])
    grace_elapsed: bool = False
    timed_out: bool = False
    cancel_requested: bool = False
    budget: BudgetUse = BudgetUse()
    winner: Winner | None = None
    override: Override = Override()
    # The run's messages up to the last one that came after the vote: they are the presenter's.
    presenter_addressed: int = 0
    presentation: PresentationProgress = PresentationProgress()
    planning: Planning = Planning()
    changes: ChangeSet = ChangeSet()
    finished: Finished | None = None

    def with_changes(self, **changes: Any) -> "RunState":
        """As `dataclasses.replace`, in an eighth of its time, for what happens with nearly every record of a log."""
        changed = object.__new__(RunState)
        vars(changed).update(vars(self), **changes)
        return changed

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
