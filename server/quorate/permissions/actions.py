"""Everything that a model can want to do. What is not here cannot be asked for."""

from dataclasses import dataclass

from quorate.permissions.paths import ToolPath


@dataclass(frozen=True, slots=True)
class ReadFile:
    path: ToolPath


@dataclass(frozen=True, slots=True)
class ListFiles:
    path: ToolPath


@dataclass(frozen=True, slots=True)
class SearchFiles:
    path: ToolPath


@dataclass(frozen=True, slots=True)
class WriteFile:
    path: ToolPath


@dataclass(frozen=True, slots=True)
class DeleteFile:
    path: ToolPath


@dataclass(frozen=True, slots=True)
class ReadRepository:
    """git_log and git_diff."""


@dataclass(frozen=True, slots=True)
class RunCommand:
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coordinate:
    """The workflow of a run: new_answer, vote, submit_plan, report_finding."""

    tool: str


@dataclass(frozen=True, slots=True)
class AskPerson:
    """request_input."""


@dataclass(frozen=True, slots=True)
class LaunchRun:
    task: str
    # None: at least one model's price is unknown.
    usd: float | None


@dataclass(frozen=True, slots=True)
class ReadRun:
    """get_run."""


@dataclass(frozen=True, slots=True)
class UpdateProject:
    pass


@dataclass(frozen=True, slots=True)
class ApplyChanges:
    """The step from a proposed change set to the user's files."""

    files: int


@dataclass(frozen=True, slots=True)
class McpCall:
    server: str
    tool: str


@dataclass(frozen=True, slots=True)
class UnknownCall:
    """A tool, key or type that the dispatcher does not know."""

    tool: str
    problem: str


Access = ReadFile | ListFiles | SearchFiles | WriteFile | DeleteFile | ReadRepository
Conduct = (
    RunCommand | Coordinate | AskPerson | LaunchRun | ReadRun | UpdateProject | ApplyChanges | McpCall | UnknownCall
)
Action = Access | Conduct
