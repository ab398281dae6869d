"""Every command: its name, what it takes and what it answers."""

from typing import Any, Literal, NamedTuple

from pydantic import Field, model_validator

from quorate.protocol.base import Defaulted, Maybe, Wire
from quorate.protocol.changes import FileChoice, SettledFile
from quorate.protocol.decisions import Decision, Resolution
from quorate.protocol.ids import AgentId, DecisionId, FindingId, RunId, SessionId, TurnId
from quorate.protocol.items import Attachment, Range
from quorate.protocol.modes import Modes
from quorate.protocol.records import EventRecord
from quorate.protocol.runs import RunSpec
from quorate.protocol.usage import Usage
from quorate.protocol.views import Answer, RunResult, RunView, SessionSummary, SessionView


class ChatParams(Wire):
    text: str = Field(min_length=1)
    session_id: Maybe[SessionId] = None
    attachments: Defaulted[tuple[Attachment, ...]] = ()
    modes: Maybe[Modes] = None
    when_busy: Defaulted[Literal["queue", "steer"]] = "queue"


class ChatResult(Wire):
    session_id: SessionId
    turn_id: TurnId


class LaunchRunParams(RunSpec):
    session_id: Maybe[SessionId] = None
    approval: Maybe[Literal["ask", "given"]] = None


class RunLaunched(Wire):
    session_id: SessionId
    run_id: RunId
    decision_id: Maybe[DecisionId] = None


class ApproveParams(Wire):
    """`edits` is read by the decision's kind: a partial run spec, a plan, or a choice of files."""

    decision_id: DecisionId
    choice: Literal["approve", "cancel"]
    edits: Maybe[dict[str, Any]] = None
    instructions: Maybe[str] = None


class RespondParams(Wire):
    decision_id: DecisionId
    text: str


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
    text: str = Field(min_length=1)
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
    after_seq: Maybe[int] = Field(default=None, ge=0)
    items_before: Maybe[int] = Field(default=None, ge=1)


class SessionOpenResult(Wire):
    session: SessionView
    events: tuple[EventRecord, ...]
    more: bool


class SessionParams(Wire):
    session_id: SessionId


class SessionRef(Wire):
    session_id: SessionId


class SessionSearchParams(Wire):
    text: str = Field(min_length=1)
    limit: Defaulted[int] = Field(default=50, ge=1, le=1000)


class SearchHit(Wire):
    session_id: SessionId
    seq: int
    snippet: str


class SessionSearchResult(Wire):
    hits: tuple[SearchHit, ...]


class SessionForkParams(Wire):
    session_id: SessionId
    at_seq: Maybe[int] = Field(default=None, ge=1)


class SessionRenameParams(Wire):
    session_id: SessionId
    title: str = Field(min_length=1)


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


class SessionExportResult(Wire):
    text: str


class SessionImportParams(Wire):
    text: str = Field(min_length=1)


class RunListParams(Wire):
    session_id: Maybe[SessionId] = None
    project: Maybe[str] = None
    limit: Defaulted[int] = Field(default=200, ge=1, le=1000)


class RunListResult(Wire):
    runs: tuple[RunView, ...]


class RunParams(Wire):
    run_id: RunId


class RunOpenResult(Wire):
    run: RunView
    answers: tuple[Answer, ...]
    result: Maybe[RunResult] = None
    log_dir: str


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
    run_id: RunId
    uri: str


class ChangesOpenResult(Wire):
    before: str
    after: str


class ChangesParams(Wire):
    run_id: RunId
    files: Maybe[tuple[FileChoice, ...]] = None


class ChangesResult(Wire):
    settled: tuple[SettledFile, ...]


class DiffBase(Wire):
    base: str


class CodeActionParams(Wire):
    uri: Maybe[str] = None
    range: Maybe[Range] = None
    diff: Maybe[DiffBase] = None
    finding_ids: Maybe[tuple[FindingId, ...]] = None
    instructions: Maybe[str] = None
    session_id: Maybe[SessionId] = None


class FindingDismissParams(Wire):
    finding_ids: tuple[FindingId, ...] = Field(min_length=1)


class FindingDismissResult(Wire):
    dismissed: tuple[FindingId, ...]


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


class CommandType(NamedTuple):
    params: type[Wire]
    result: type[Wire]


COMMANDS: dict[str, CommandType] = {
    "quorate.chat": CommandType(ChatParams, ChatResult),
    "quorate.launch_run": CommandType(LaunchRunParams, RunLaunched),
    "quorate.approve": CommandType(ApproveParams, DecisionResult),
    "quorate.respond": CommandType(RespondParams, DecisionResult),
    "quorate.override": CommandType(OverrideParams, OverrideResult),
    "quorate.steer": CommandType(SteerParams, SteerResult),
    "quorate.cancel": CommandType(CancelParams, CancelResult),
    "quorate.modes": CommandType(ModesParams, Modes),
    "quorate.session.list": CommandType(SessionListParams, SessionListResult),
    "quorate.session.open": CommandType(SessionOpenParams, SessionOpenResult),
    "quorate.session.close": CommandType(SessionParams, SessionRef),
    "quorate.session.search": CommandType(SessionSearchParams, SessionSearchResult),
    "quorate.session.fork": CommandType(SessionForkParams, SessionRef),
    "quorate.session.rename": CommandType(SessionRenameParams, SessionSummary),
    "quorate.session.delete": CommandType(SessionParams, SessionSummary),
    "quorate.session.restore": CommandType(SessionParams, SessionSummary),
    "quorate.session.compact": CommandType(SessionParams, SessionSummary),
    "quorate.session.stats": CommandType(SessionParams, SessionStats),
    "quorate.session.export": CommandType(SessionExportParams, SessionExportResult),
    "quorate.session.import": CommandType(SessionImportParams, SessionRef),
    "quorate.run.list": CommandType(RunListParams, RunListResult),
    "quorate.run.open": CommandType(RunParams, RunOpenResult),
    "quorate.project.list": CommandType(ProjectParams, ProjectListResult),
    "quorate.project.create": CommandType(ProjectParams, Project),
    "quorate.project.select": CommandType(ProjectParams, Project),
    "quorate.project.open": CommandType(ProjectParams, Project),
    "quorate.changes.open": CommandType(ChangesOpenParams, ChangesOpenResult),
    "quorate.changes.apply": CommandType(ChangesParams, ChangesResult),
    "quorate.changes.discard": CommandType(ChangesParams, ChangesResult),
    "quorate.changes.undo": CommandType(ChangesParams, ChangesResult),
    "quorate.review": CommandType(CodeActionParams, RunLaunched),
    "quorate.explain": CommandType(CodeActionParams, RunLaunched),
    "quorate.fix": CommandType(CodeActionParams, RunLaunched),
    "quorate.test": CommandType(CodeActionParams, RunLaunched),
    "quorate.finding.dismiss": CommandType(FindingDismissParams, FindingDismissResult),
    "quorate.status": CommandType(NoParams, StatusResult),
}
