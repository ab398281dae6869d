"""What commands take and what they answer. Which command takes which stands in `command_table`."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from teamwright.protocol.base import MAX_IMPORT, MAX_NAMES, MAX_PLACE, MAX_TEXT, Defaulted, Maybe, Wire, Words
from teamwright.protocol.changes import FileChoice, SettledFile
from teamwright.protocol.checks import CheckSubject
from teamwright.protocol.decisions import Decision, Resolution
from teamwright.protocol.ids import AgentId, AnswerId, DecisionId, EntryId, FindingId, RunId, SessionId, TurnId
from teamwright.protocol.items import Attachment, Range
from teamwright.protocol.modes import Modes
from teamwright.protocol.plans import MAX_TASKS, TaskEdit, TaskList
from teamwright.protocol.records import EventRecord
from teamwright.protocol.runs import RunSpec, RunSpecEdit
from teamwright.protocol.transcript import Transcript
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import (
    AgentStats,
    Answer,
    PlanExecution,
    RunAnalysis,
    RunResult,
    RunView,
    SessionSummary,
    SessionView,
)


class ChatParams(Wire):
    text: str = Field(min_length=1, max_length=MAX_TEXT)
    session_id: Maybe[SessionId] = None
    attachments: Defaulted[tuple[Attachment, ...]] = Field(default=(), max_length=MAX_NAMES)
    modes: Maybe[Modes] = None
    when_busy: Defaulted[Literal["queue", "steer"]] = "queue"


class ChatResult(Wire):
    session_id: SessionId
    turn_id: TurnId


class LaunchRunParams(RunSpec):
    """`modes` are those of a session that is begun with the run, or switched to in one that is at rest.

    What is attached is shown to the agents, and may be read by them."""

    session_id: Maybe[SessionId] = None
    modes: Maybe[Modes] = None
    approval: Maybe[Literal["ask", "given"]] = None
    attachments: Defaulted[tuple[Attachment, ...]] = Field(default=(), max_length=MAX_NAMES)
    # Its agents' commands and checks: `workers` are other machines, which this version has none of (501).
    where: Maybe[Literal["local", "workers", "auto"]] = None


class RunLaunched(Wire):
    session_id: SessionId
    run_id: RunId
    decision_id: Maybe[DecisionId] = None


class ApproveParams(Wire):
    """`choice` is the id of one that the decision offers; `approve` and `cancel` are always among them.

    `edits` is read by the decision's kind: a partial run spec, a plan, or a choice of files.
    """

    decision_id: DecisionId
    choice: str
    edits: Maybe[dict[str, Any]] = None
    instructions: Maybe[str] = Field(default=None, max_length=MAX_TEXT)


class RespondParams(Wire):
    decision_id: DecisionId
    text: str = Field(max_length=MAX_TEXT)


class DecisionResult(Wire):
    decision: Resolution


class OverrideParams(Wire):
    """A null agent lets the vote stand now; leaving it out is a mistake."""

    run_id: RunId
    agent_id: AgentId | None


class OverrideResult(Wire):
    run_id: RunId
    agent_id: AgentId | None


class SteerParams(Wire):
    text: str = Field(min_length=1, max_length=MAX_TEXT)
    run_id: Maybe[RunId] = None
    session_id: Maybe[SessionId] = None
    agents: Maybe[tuple[AgentId, ...]] = None

    @model_validator(mode="after")
    def _names_one_target(self) -> "SteerParams":
        if (self.run_id is None) == (self.session_id is None):
            raise ValueError("give either runId or sessionId")
        return self


class SteerResult(Wire):
    delivered: tuple[AgentId, ...]


class CancelParams(Wire):
    run_id: Maybe[RunId] = None
    turn_id: Maybe[TurnId] = None

    @model_validator(mode="after")
    def _names_one_target(self) -> "CancelParams":
        if (self.run_id is None) == (self.turn_id is None):
            raise ValueError("give either runId or turnId")
        return self


class CancelResult(Wire):
    cancelled: bool


class ModesParams(Modes):
    """Without a session only what new ones begin with can be read."""

    session_id: Maybe[SessionId] = None


class SessionListParams(Wire):
    query: Maybe[str] = None
    project: Maybe[str] = None
    limit: Defaulted[int] = Field(default=50, ge=1, le=1000)
    before: Maybe[str] = None


class SessionListResult(Wire):
    sessions: tuple[SessionSummary, ...]


class SessionOpenParams(Wire):
    session_id: SessionId
    after_seq: Maybe[int] = Field(default=None, ge=0, le=MAX_PLACE)
    # An entry: the 200 before it, as the transcript. A number: the 200 items of the view before that `seq`.
    items_before: Maybe[Annotated[int, Field(ge=1, le=MAX_PLACE)] | EntryId] = None


class SessionOpenResult(Wire):
    session: SessionView
    transcript: Maybe[Transcript] = None
    events: tuple[EventRecord, ...]
    more: bool


class SessionParams(Wire):
    session_id: SessionId


class SessionRef(Wire):
    session_id: SessionId


class SessionSearchParams(Wire):
    text: str = Field(min_length=1, max_length=MAX_TEXT)
    limit: Defaulted[int] = Field(default=50, ge=1, le=1000)


class SearchHit(Wire):
    session_id: SessionId
    seq: int
    snippet: Words


class SessionSearchResult(Wire):
    hits: tuple[SearchHit, ...]


class SessionForkParams(Wire):
    session_id: SessionId
    at_seq: Maybe[int] = Field(default=None, ge=1, le=MAX_PLACE)


class SessionRenameParams(Wire):
    session_id: SessionId
    title: str = Field(min_length=1, max_length=MAX_TEXT)


class SessionTasksParams(Wire):
    """Without tasks the list is only read; with them it is the whole list from now on."""

    session_id: SessionId
    tasks: Maybe[tuple[TaskEdit, ...]] = Field(default=None, max_length=MAX_TASKS)


class SessionTasksResult(Wire):
    tasks: TaskList


class SessionStats(Wire):
    session_id: SessionId
    turns: int
    runs: int
    messages: int
    usage: Usage
    cost_usd: Maybe[float] = None
    seconds: float


class SessionExportParams(Wire):
    session_id: SessionId
    format: Defaulted[Literal["json", "markdown"]] = "json"
    # Whether what looks like a key is left out.
    mask: Defaulted[bool] = False


class SessionExportResult(Wire):
    text: str
    # A sentence about each kind of key that it seems to hold.
    warnings: tuple[str, ...] = ()


class SessionImportParams(Wire):
    text: str = Field(min_length=1, max_length=MAX_IMPORT)


class RunListParams(Wire):
    session_id: Maybe[SessionId] = None
    project: Maybe[str] = None
    limit: Defaulted[int] = Field(default=200, ge=1, le=1000)


class RunListResult(Wire):
    runs: tuple[RunView, ...]


class RunParams(Wire):
    run_id: RunId


class RunContinueParams(Wire):
    """Without instructions it goes on with what it was asked."""

    run_id: RunId
    instructions: Maybe[str] = Field(default=None, min_length=1, max_length=MAX_TEXT)


class RunResumed(Wire):
    run_id: RunId


class PlanExecuteParams(Wire):
    """Of the plan that the run has made: these tasks, or all that nobody has carried out."""

    run_id: RunId
    tasks: Maybe[tuple[str, ...]] = Field(default=None, min_length=1, max_length=MAX_NAMES)
    instructions: Maybe[str] = Field(default=None, max_length=MAX_TEXT)


class RunOpenResult(Wire):
    run: RunView
    answers: tuple[Answer, ...]
    result: Maybe[RunResult] = None
    execution: Maybe[PlanExecution] = None
    log_dir: str
    transcript: Maybe[Transcript] = None


class RunAnalyzeParams(Wire):
    run_id: RunId
    # Whether the assistant's model is asked what it makes of the run; `instructions` say what to look at.
    opinion: Defaulted[bool] = False
    instructions: Maybe[str] = Field(default=None, max_length=MAX_TEXT)


class RunAnalyzeResult(Wire):
    """An opinion comes later, with a further `run.analyzed`."""

    analysis: RunAnalysis


class RunAgainParams(Wire):
    """The same task once more, in the same session, but for what is changed."""

    run_id: RunId
    changes: Maybe[RunSpecEdit] = None
    approval: Maybe[Literal["ask", "given"]] = None


class RunReportParams(Wire):
    run_id: RunId
    format: Defaulted[Literal["html", "markdown"]] = "html"
    # Whether what looks like a key is left out.
    mask: Defaulted[bool] = True


class RunReportResult(Wire):
    text: str
    # A name for the file that it may become.
    name: str
    warnings: tuple[str, ...] = ()


class StatsParams(Wire):
    project: Maybe[str] = None
    limit: Defaulted[int] = Field(default=200, ge=1, le=1000)


class StatsResult(Wire):
    runs: int
    agents: tuple[AgentStats, ...]
    # The same for people, in Markdown.
    text: str


class ProjectParams(Wire):
    name: Maybe[str] = None
    goal: Maybe[str] = None
    session_id: Maybe[SessionId] = None


class ProjectPath(Wire):
    path: str
    kind: Literal["file", "directory"]
    description: str = ""


class Project(Wire):
    name: str
    path: str
    goal: str = ""
    context: str = ""
    filepaths: dict[str, ProjectPath] = {}
    deliverables: tuple[str, ...] = ()
    runs: tuple[RunId, ...] = ()


class ProjectListResult(Wire):
    projects: tuple[Project, ...]


class ChangesOpenParams(Wire):
    """With an answer: what that one would make of the file."""

    run_id: RunId
    uri: str
    answer_id: Maybe[AnswerId] = None


class ChangesOpenResult(Wire):
    before: str
    after: str


class ChangesParams(Wire):
    """With an answer its candidate is meant, and not what the run has proposed; it can only be applied."""

    run_id: RunId
    files: Maybe[tuple[FileChoice, ...]] = None
    answer_id: Maybe[AnswerId] = None


class ChangesProposeParams(Wire):
    """Another answer's changes, to be looked at in place of what a run that is over has proposed."""

    run_id: RunId
    answer_id: AnswerId


class ChangesProposeResult(Wire):
    change_set_id: str
    # What it changes.
    uris: tuple[str, ...]


class ChangesResult(Wire):
    settled: tuple[SettledFile, ...]


class RunProblemsParams(Wire):
    """Where the checks of an answer, of the workspace without any or of what is proposed fail, to be shown there."""

    run_id: RunId
    # Without it: what is proposed.
    of: Maybe[CheckSubject] = None
    # False: they are taken away again.
    shown: Maybe[bool] = None


class RunProblemsResult(Wire):
    count: int


class RunCheckParams(Wire):
    run_id: RunId
    files: Maybe[tuple[FileChoice, ...]] = None


class RunCheckResult(Wire):
    """The checks that are run on these bytes; what comes of them are events of the run."""

    change_set_id: str
    checks: tuple[str, ...]


class DiffBase(Wire):
    base: str


class CodeActionParams(Wire):
    uri: Maybe[str] = None
    range: Maybe[Range] = None
    diff: Maybe[DiffBase] = None
    finding_ids: Maybe[tuple[FindingId, ...]] = None
    # Of a fix: make these pass.
    checks: Maybe[tuple[str, ...]] = None
    instructions: Maybe[str] = Field(default=None, max_length=MAX_TEXT)
    session_id: Maybe[SessionId] = None


class FindingDismissParams(Wire):
    finding_ids: tuple[FindingId, ...] = Field(min_length=1)


class FindingDismissResult(Wire):
    dismissed: tuple[FindingId, ...]


class RememberedAnswer(Wire):
    """What a person has said once and for all, in words."""

    answer_id: str
    about: Literal["tool", "check"]
    title: Words
    # It goes on from the title.
    says: Words


class RememberedResult(Wire):
    answers: tuple[RememberedAnswer, ...]


class ForgetParams(Wire):
    # None: all of them.
    answer_ids: Maybe[tuple[str, ...]] = None


class ForgetResult(Wire):
    forgotten: tuple[RememberedAnswer, ...]


class NoParams(Wire):
    pass


Verdict = Literal["unknown", "ok", "unreachable", "misconfigured"]


class AgentHealth(Wire):
    agent_id: AgentId
    backend: str
    model: Maybe[str] = None
    health: Verdict
    detail: Maybe[str] = None
    latency_ms: Maybe[float] = None


class Limits(Wire):
    max_active_sessions: int
    active_sessions: int
    idle_minutes: float
    max_steps: int


class Versions(Wire):
    server: str
    protocol: int


class StatusResult(Wire):
    agents: tuple[AgentHealth, ...]
    modes: Modes
    limits: Limits
    cost_usd: float | None
    decisions: tuple[Decision, ...]
    trusted: bool
    versions: Versions
