"""What one model may do: fixed when it starts, from the run and the user's settings, never from what it says."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from teamwright.permissions.names import folded
from teamwright.permissions.paths import AnswerPath, Places, RefusedPath, ScratchPath, WorkspacePath, parse_path
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.modes import Autonomy
from teamwright.protocol.runs import Consent, ContextPath

# The assistant talks with the user; an agent answers and votes in a run; the presenter writes the run's result.
Role = Literal["assistant", "agent", "presenter"]


@dataclass(frozen=True, slots=True)
class AlwaysAsk:
    pass


@dataclass(frozen=True, slots=True)
class NeverAsk:
    pass


@dataclass(frozen=True, slots=True)
class AskAbove:
    usd: float


RunApproval = AlwaysAsk | NeverAsk | AskAbove


@dataclass(frozen=True, slots=True)
class Roots:
    read: tuple[WorkspacePath, ...] = ()
    write: tuple[WorkspacePath, ...] = ()
    protected: tuple[WorkspacePath, ...] = ()

    def readable(self, path: WorkspacePath) -> bool:
        return any(path.within(root) for root in (*self.read, *self.write))

    def writable(self, path: WorkspacePath) -> bool:
        return any(path.within(root) for root in self.write)

    def guarded(self, path: WorkspacePath) -> bool:
        """Compared as loosely as any file system would, because here a near match must close, not open."""
        return any(_folded(path).within(_folded(root)) for root in self.protected)


@dataclass(frozen=True, slots=True)
class Rules:
    role: Role
    places: Places
    roots: Roots = Roots()
    autonomy: Autonomy = "hitl"
    trusted: bool = False
    # By the user's configuration, each one after a question; or by a person's word for all of this run.
    commands: bool = False
    commands_granted: bool = False
    repository: bool = False
    mcp_servers: frozenset[str] = frozenset()
    run_approval: RunApproval = AlwaysAsk()
    apply_changes: Consent = "ask"


def whole_workspace(places: Places) -> Roots:
    """For the assistant: it reads wherever the user has a folder open, and writes nowhere."""
    return Roots(read=tuple(WorkspacePath(folder.name) for folder in places.folders))


def roots_of(context_paths: Sequence[ContextPath], protected_paths: Iterable[str], places: Places) -> Roots:
    """The roots of a run. Raises BadParams that names every path which cannot be one."""
    faults: list[FieldError] = []

    def located(text: str, where: str) -> WorkspacePath | None:
        match parse_path(text, places):
            case WorkspacePath() as path:
                return path
            case RefusedPath(reason):
                faults.append(FieldError(path=where, message=reason))
            case ScratchPath() | AnswerPath():
                faults.append(FieldError(path=where, message=f"`{text}` is not in the workspace"))
        return None

    context = [(located(entry.path, f"contextPaths.{i}.path"), entry) for i, entry in enumerate(context_paths)]
    protected = [located(text, f"protectedPaths.{i}") for i, text in enumerate(protected_paths)]
    if faults:
        raise BadParams(faults)
    return Roots(
        read=tuple(path for path, _ in context if path is not None),
        write=tuple(path for path, entry in context if path is not None and entry.permission == "write"),
        protected=tuple(path for path in protected if path is not None),
    )


def _folded(path: WorkspacePath) -> WorkspacePath:
    return WorkspacePath(path.folder, tuple(folded(part) for part in path.parts))
