"""The one table of commands: name, params, result, and which session it concerns.

Everything else that lists commands is made from it: `command_names` (generated, for what must know the names before
any type is loaded), the schema of the wire, the clients' types, the tables of PROTOCOL.md. `application` has one
function for each row; the type checker holds it to the row's types.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from teamwright.protocol.base import Wire
from teamwright.protocol.commands import (
    ApproveParams,
    CancelParams,
    CancelResult,
    ChangesOpenParams,
    ChangesOpenResult,
    ChangesParams,
    ChangesProposeParams,
    ChangesProposeResult,
    ChangesResult,
    ChatParams,
    ChatResult,
    CodeActionParams,
    DecisionResult,
    FindingDismissParams,
    FindingDismissResult,
    ForgetParams,
    ForgetResult,
    LaunchRunParams,
    ModesParams,
    NoParams,
    OverrideParams,
    OverrideResult,
    PlanExecuteParams,
    Project,
    ProjectListResult,
    ProjectParams,
    RememberedResult,
    RespondParams,
    RunAgainParams,
    RunAnalyzeParams,
    RunAnalyzeResult,
    RunCheckParams,
    RunCheckResult,
    RunContinueParams,
    RunLaunched,
    RunListParams,
    RunListResult,
    RunOpenResult,
    RunParams,
    RunProblemsParams,
    RunProblemsResult,
    RunReportParams,
    RunReportResult,
    RunResumed,
    SessionExportParams,
    SessionExportResult,
    SessionForkParams,
    SessionImportParams,
    SessionListParams,
    SessionListResult,
    SessionOpenParams,
    SessionOpenResult,
    SessionParams,
    SessionRef,
    SessionRenameParams,
    SessionSearchParams,
    SessionSearchResult,
    SessionStats,
    SessionTasksParams,
    SessionTasksResult,
    StatsParams,
    StatsResult,
    StatusResult,
    SteerParams,
    SteerResult,
)
from teamwright.protocol.ids import DecisionId, FindingId, RunId, SessionId, TurnId
from teamwright.protocol.modes import Modes
from teamwright.protocol.views import SessionSummary

P = TypeVar("P", bound=Wire)
R = TypeVar("R", bound=Wire)

PartId = RunId | TurnId | DecisionId | FindingId


@dataclass(frozen=True, slots=True)
class NamedSession:
    session_id: SessionId


@dataclass(frozen=True, slots=True)
class SessionWith:
    """The session that this run, turn, decision or finding belongs to."""

    part_id: PartId


@dataclass(frozen=True, slots=True)
class NewSession:
    """One that is begun by the command, or by whatever it lets go on."""


@dataclass(frozen=True, slots=True)
class NoSession:
    pass


Concern = NamedSession | SessionWith | NewSession | NoSession


@dataclass(frozen=True, slots=True)
class Command(Generic[P, R]):
    name: str
    params: type[P]
    result: type[R]
    # What the command causes there is told behind its answer.
    concern: Callable[[P], Concern]


COMMANDS: Final[dict[str, Command[Any, Any]]] = {}

# Kept for later: a client is told so with 501 instead of guessing.
RESERVED: Final[dict[str, str]] = {
    "teamwright.session.configure": "A session's team cannot be changed in this version; edit the configuration.",
    "teamwright.session.restoreTo": "A session cannot be taken back to a point in this version; fork it there.",
}


def _command(name: str, params: type[P], result: type[R], concern: Callable[[P], Concern]) -> Command[P, R]:
    row = Command(f"teamwright.{name}", params, result, concern)
    COMMANDS[row.name] = row
    return row


def _named(
    params: SessionOpenParams | SessionParams | SessionRenameParams | SessionExportParams | SessionTasksParams,
) -> Concern:
    return NamedSession(params.session_id)


def _named_or_new(params: ChatParams | LaunchRunParams) -> Concern:
    return NewSession() if params.session_id is None else NamedSession(params.session_id)


def _named_or_none(params: ModesParams | RunListParams | ProjectParams) -> Concern:
    return NoSession() if params.session_id is None else NamedSession(params.session_id)


_OfRun = (
    OverrideParams
    | RunParams
    | RunCheckParams
    | RunContinueParams
    | RunProblemsParams
    | PlanExecuteParams
    | RunAnalyzeParams
    | RunAgainParams
    | RunReportParams
    | ChangesParams
    | ChangesOpenParams
    | ChangesProposeParams
)


def _of_run(params: _OfRun) -> Concern:
    return SessionWith(params.run_id)


def _of_decision(params: ApproveParams | RespondParams) -> Concern:
    return SessionWith(params.decision_id)


def _of_target(params: SteerParams) -> Concern:
    if params.session_id is not None:
        return NamedSession(params.session_id)
    return NoSession() if params.run_id is None else SessionWith(params.run_id)


def _of_cancelled(params: CancelParams) -> Concern:
    part_id = params.run_id or params.turn_id
    return NoSession() if part_id is None else SessionWith(part_id)


def _of_code_action(params: CodeActionParams) -> Concern:
    """Of the findings, which are of one session; a named session holds before them."""
    if params.session_id is not None:
        return NamedSession(params.session_id)
    return SessionWith(params.finding_ids[0]) if params.finding_ids else NewSession()


def _of_findings(params: FindingDismissParams) -> Concern:
    return SessionWith(params.finding_ids[0])


def _new(_: SessionForkParams | SessionImportParams) -> Concern:
    return NewSession()


def _none(_: SessionListParams | SessionSearchParams | StatsParams | ForgetParams | NoParams) -> Concern:
    return NoSession()


CHAT = _command("chat", ChatParams, ChatResult, _named_or_new)
LAUNCH_RUN = _command("launch_run", LaunchRunParams, RunLaunched, _named_or_new)
APPROVE = _command("approve", ApproveParams, DecisionResult, _of_decision)
RESPOND = _command("respond", RespondParams, DecisionResult, _of_decision)
OVERRIDE = _command("override", OverrideParams, OverrideResult, _of_run)
STEER = _command("steer", SteerParams, SteerResult, _of_target)
CANCEL = _command("cancel", CancelParams, CancelResult, _of_cancelled)
MODES = _command("modes", ModesParams, Modes, _named_or_none)
SESSION_LIST = _command("session.list", SessionListParams, SessionListResult, _none)
SESSION_OPEN = _command("session.open", SessionOpenParams, SessionOpenResult, _named)
SESSION_CLOSE = _command("session.close", SessionParams, SessionRef, _named)
SESSION_SEARCH = _command("session.search", SessionSearchParams, SessionSearchResult, _none)
SESSION_FORK = _command("session.fork", SessionForkParams, SessionRef, _new)
SESSION_RENAME = _command("session.rename", SessionRenameParams, SessionSummary, _named)
SESSION_DELETE = _command("session.delete", SessionParams, SessionSummary, _named)
SESSION_RESTORE = _command("session.restore", SessionParams, SessionSummary, _named)
SESSION_COMPACT = _command("session.compact", SessionParams, SessionSummary, _named)
SESSION_STATS = _command("session.stats", SessionParams, SessionStats, _named)
SESSION_TASKS = _command("session.tasks", SessionTasksParams, SessionTasksResult, _named)
SESSION_EXPORT = _command("session.export", SessionExportParams, SessionExportResult, _named)
SESSION_IMPORT = _command("session.import", SessionImportParams, SessionRef, _new)
RUN_LIST = _command("run.list", RunListParams, RunListResult, _named_or_none)
RUN_OPEN = _command("run.open", RunParams, RunOpenResult, _of_run)
RUN_CHECK = _command("run.check", RunCheckParams, RunCheckResult, _of_run)
RUN_PROBLEMS = _command("run.problems", RunProblemsParams, RunProblemsResult, _of_run)
RUN_RESUME = _command("run.resume", RunParams, RunResumed, _of_run)
RUN_CONTINUE = _command("run.continue", RunContinueParams, RunLaunched, _of_run)
PLAN_EXECUTE = _command("plan.execute", PlanExecuteParams, RunLaunched, _of_run)
RUN_ANALYZE = _command("run.analyze", RunAnalyzeParams, RunAnalyzeResult, _of_run)
RUN_AGAIN = _command("run.again", RunAgainParams, RunLaunched, _of_run)
RUN_REPORT = _command("run.report", RunReportParams, RunReportResult, _of_run)
PROJECT_LIST = _command("project.list", ProjectParams, ProjectListResult, _named_or_none)
PROJECT_CREATE = _command("project.create", ProjectParams, Project, _named_or_none)
PROJECT_SELECT = _command("project.select", ProjectParams, Project, _named_or_none)
PROJECT_OPEN = _command("project.open", ProjectParams, Project, _named_or_none)
CHANGES_OPEN = _command("changes.open", ChangesOpenParams, ChangesOpenResult, _of_run)
CHANGES_PROPOSE = _command("changes.propose", ChangesProposeParams, ChangesProposeResult, _of_run)
CHANGES_APPLY = _command("changes.apply", ChangesParams, ChangesResult, _of_run)
CHANGES_DISCARD = _command("changes.discard", ChangesParams, ChangesResult, _of_run)
CHANGES_UNDO = _command("changes.undo", ChangesParams, ChangesResult, _of_run)
REVIEW = _command("review", CodeActionParams, RunLaunched, _of_code_action)
EXPLAIN = _command("explain", CodeActionParams, RunLaunched, _of_code_action)
FIX = _command("fix", CodeActionParams, RunLaunched, _of_code_action)
TEST = _command("test", CodeActionParams, RunLaunched, _of_code_action)
FINDING_DISMISS = _command("finding.dismiss", FindingDismissParams, FindingDismissResult, _of_findings)
REMEMBERED_LIST = _command("remembered.list", NoParams, RememberedResult, _none)
REMEMBERED_FORGET = _command("remembered.forget", ForgetParams, ForgetResult, _none)
STATS = _command("stats", StatsParams, StatsResult, _none)
STATUS = _command("status", NoParams, StatusResult, _none)
