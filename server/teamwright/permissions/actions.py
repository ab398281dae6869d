"""Everything that a model can want to do. What is not here cannot be asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from teamwright.permissions.paths import ToolPath
from teamwright.protocol.decisions import ToolTrait

# Whoever launches a run may want to be asked first, or have given their approval with the command.
Approval = Literal["ask", "given"]


@dataclass(frozen=True, slots=True)
class ReadFileAction:
    path: ToolPath


@dataclass(frozen=True, slots=True)
class ListFilesAction:
    path: ToolPath


@dataclass(frozen=True, slots=True)
class SearchFilesAction:
    path: ToolPath


@dataclass(frozen=True, slots=True)
class WriteFileAction:
    path: ToolPath


@dataclass(frozen=True, slots=True)
class DeleteFileAction:
    path: ToolPath


@dataclass(frozen=True, slots=True)
class ReadRepositoryAction:
    """git_log and git_diff."""


@dataclass(frozen=True, slots=True)
class RunCommandAction:
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RequestChecksAction:
    """run_checks. Whether one of them may run is judged when it is known which: `RunCheckAction`."""


@dataclass(frozen=True, slots=True)
class RunCheckAction:
    """A check of the project, on its own. `is_allowed`: by the user's own configuration or a remembered tick."""

    argv: tuple[str, ...]
    cwd: str
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class CoordinateAction:
    """The workflow of a run: new_answer, vote, submit_plan, report_finding."""

    tool: str


@dataclass(frozen=True, slots=True)
class AskPersonAction:
    """request_input."""


@dataclass(frozen=True, slots=True)
class RequestRunAction:
    """launch_run. Whether the run may start is judged when it is known what it may cost: `StartRunAction`."""


@dataclass(frozen=True, slots=True)
class StartRunAction:
    task: str
    # The most that it is likely to cost. None: at least one model's price is unknown.
    usd: float | None
    # What the person who launched it said about it.
    approval: Approval | None = None
    has_money_budget: bool = False
    # What the session may still spend; None where nothing limits it.
    left_usd: float | None = None


@dataclass(frozen=True, slots=True)
class ReadRunAction:
    """get_run, analyze_run."""


@dataclass(frozen=True, slots=True)
class KeepTasksAction:
    """task_list: the assistant's own list, which nothing is done by."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What is to be remembered of the user, in every workspace, or of this workspace."""

    text: str
    of: Literal["user", "workspace"]


@dataclass(frozen=True, slots=True)
class UpdateProjectAction:
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class ApplyChangesAction:
    """The step from a run's change set to the user's files. Judged when the run starts."""


@dataclass(frozen=True, slots=True)
class ExecutePlanAction:
    """The step from a run's plan to another run that carries it out. Judged when the planning run starts."""


@dataclass(frozen=True, slots=True)
class McpCallAction:
    server: str
    tool: str
    # What the tool is, in its server's words, and the hash of it.
    description: str
    traits: tuple[ToolTrait, ...]
    pin: str
    arguments: Mapping[str, Any]
    # What the user has said of exactly this tool; `has_changed`: they spoke of one that was another then.
    choice: Literal["always", "never"] | None = None
    has_changed: bool = False


@dataclass(frozen=True, slots=True)
class UnknownCallAction:
    """A tool, key or type that the dispatcher does not know."""

    tool: str
    problem: str


Access = (
    ReadFileAction | ListFilesAction | SearchFilesAction | WriteFileAction | DeleteFileAction | ReadRepositoryAction
)
Execution = RunCommandAction | RequestChecksAction | RunCheckAction
Conduct = (
    CoordinateAction
    | AskPersonAction
    | RequestRunAction
    | StartRunAction
    | ReadRunAction
    | KeepTasksAction
    | UpdateProjectAction
    | ApplyChangesAction
    | ExecutePlanAction
    | McpCallAction
    | UnknownCallAction
)
Action = Access | Execution | Conduct
