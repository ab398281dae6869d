"""What clients draw. A view is whole: clients replace it and never compute."""

from typing import Literal

from pydantic import AwareDatetime

from teamwright.protocol.base import Maybe, Wire, Words
from teamwright.protocol.checks import Candidate, CheckStanding, CheckView, RunChecks
from teamwright.protocol.decisions import Decision
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.ids import AgentId, AnswerId, DecisionId, RunId, SessionId
from teamwright.protocol.items import Item
from teamwright.protocol.modes import Modes
from teamwright.protocol.plans import TaskList
from teamwright.protocol.runs import RunSpecEdit
from teamwright.protocol.transcript import TimelineData, Tone
from teamwright.protocol.usage import Budget, Usage, Usd

RunPhase = Literal[
    "queued",
    "planning",
    "answering",
    "checking",
    "voting",
    "override",
    "presenting",
    "executing",
    "applying",
    "finished",
]
RunOutcome = Literal["completed", "cancelled", "failed", "timed_out"]
AgentStatus = Literal["waiting", "working", "answered", "voted", "abstained", "presenting", "failed", "stopped"]


class AgentView(Wire):
    agent_id: AgentId
    status: AgentStatus
    attempt: int
    answers: int
    voted_for: Maybe[AgentId] = None
    usage: Usage
    cost_usd: Maybe[float] = None
    note: Maybe[str] = None


class AnswerPreview(Wire):
    answer_id: AnswerId
    label: str
    agent_id: AgentId
    preview: str
    candidate: Maybe[Candidate] = None
    checks: tuple[CheckView, ...] = ()
    standing: Maybe[CheckStanding] = None


class VoteView(Wire):
    agent_id: AgentId
    target: AgentId
    reason: str
    counts: bool


class RunView(Wire):
    run_id: RunId
    parent_run_id: Maybe[RunId] = None
    task: Words
    phase: RunPhase
    outcome: Maybe[RunOutcome] = None
    agents: tuple[AgentView, ...]
    answers: tuple[AnswerPreview, ...] = ()
    checks: RunChecks = RunChecks()
    votes: tuple[VoteView, ...] = ()
    tally: dict[AgentId, int] = {}
    winner: Maybe[AgentId] = None
    decisions: tuple[DecisionId, ...] = ()
    usage: Usage = Usage()
    cost_usd: Maybe[float] = None
    budget: Maybe[Budget] = None
    started_at: AwareDatetime
    finished_at: Maybe[AwareDatetime] = None
    written: tuple[str, ...] = ()
    truncated: Maybe[bool] = None


class PlanExecution(Wire):
    """What carrying out a plan came to. Usage and cost are its own, beside those of the run that made the plan."""

    run_id: RunId
    outcome: RunOutcome
    text: Maybe[str] = None
    footer: Maybe[str] = None
    written: tuple[str, ...] = ()
    checks: tuple[CheckView, ...] = ()
    usage: Usage
    cost_usd: Maybe[Usd] = None
    error: Maybe[str] = None
    # The titles of the tasks that were left for later.
    pending: tuple[str, ...] = ()
    truncated: Maybe[bool] = None


class SessionSummary(Wire):
    session_id: SessionId
    title: Words
    project: Maybe[Words] = None
    created_at: AwareDatetime
    updated_at: AwareDatetime
    last_message: Words = ""
    turns: int = 0
    runs: int = 0
    pending_decisions: int = 0
    cost_usd: Maybe[float] = None
    modes: Modes = Modes()
    busy: bool = False


class SessionView(SessionSummary):
    items: tuple[Item, ...] = ()
    run_views: tuple[RunView, ...] = ()
    decisions: tuple[Decision, ...] = ()
    findings: tuple[AgreedFinding, ...] = ()
    tasks: TaskList = ()


class Answer(Wire):
    """An answer in full, with the files its agent had written by then."""

    answer_id: AnswerId
    label: str
    agent_id: AgentId
    content: str
    files: tuple[str, ...] = ()
    candidate: Maybe[Candidate] = None
    checks: tuple[CheckView, ...] = ()
    standing: Maybe[CheckStanding] = None
    submitted_at: AwareDatetime


class RunResult(Wire):
    text: str
    agent_id: AgentId
    strategy: str
    truncated: Maybe[bool] = None


# What is learned from runs that are over


AnalysisTopic = Literal[
    "alike_answers", "flipped_votes", "void_votes", "idle_rounds", "slow_agent", "failing_agent", "checks", "outcome"
]
# What an attempt was for, or, where it brought nothing, that it was for nothing.
RunStage = Literal["planning", "answering", "refining", "voting", "presenting", "unused"]


class AnalysisFinding(Wire):
    topic: AnalysisTopic
    tone: Tone
    title: Words
    # A sentence each: what in the log says so.
    evidence: tuple[Words, ...]
    agents: tuple[AgentId, ...] = ()


class StageUse(Wire):
    stage: RunStage
    # As people call it.
    label: Words
    usage: Usage
    cost_usd: Maybe[Usd] = None
    seconds: float


class Recommendation(Wire):
    text: Words
    why: Words


class RunAnalysis(Wire):
    findings: tuple[AnalysisFinding, ...] = ()
    stages: tuple[StageUse, ...] = ()
    timeline: TimelineData
    recommendations: tuple[Recommendation, ...] = ()
    # What to run it again with; not there where nothing would change.
    settings: Maybe[RunSpecEdit] = None


class AgentStats(Wire):
    """How an agent has done in the runs that it took part in."""

    agent_id: AgentId
    runs: int
    won: int
    answers: int
    # Of its votes that counted, those for whoever won.
    votes: int
    votes_for_winner: int
    # Answers that the project's checks were run on, and those that broke something.
    checked: int
    broke: int
    failed: int
    seconds: float
    usage: Usage
    cost_usd: Maybe[Usd] = None
