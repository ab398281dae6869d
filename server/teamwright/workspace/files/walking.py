"""All files below a place that a model may read, nearest first: ignored ones, links and secrets left out."""

import re
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teamwright.permissions.judgement import may_read
from teamwright.permissions.names import fault_in_name
from teamwright.permissions.paths import AnswerPath, ScratchPath, Target, WorkspacePath
from teamwright.permissions.rules import Rules
from teamwright.protocol.errors import NotFound, UserError
from teamwright.workspace.files.beneath import DirectoryEntry
from teamwright.workspace.files.live_files import Readable

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


_MOST_DIRECTORIES = 20_000
_DEEPEST = 64
_MOST_LINES = 2_000
# Each further wildcard multiplies what a name made for it costs to match; real patterns need two or three.
_MOST_WILDCARDS = 3
_WILDCARDS = re.compile(r"\*+")


class Deadline:
    """A moment that work in a thread looks at, because nothing can interrupt it from outside."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    @property
    def remaining(self) -> float:
        """Seconds, never less than none."""
        return max(0.0, self._at - time.monotonic())

    @property
    def passed(self) -> bool:
        return self.remaining == 0.0


@dataclass(frozen=True, slots=True)
class Stopped:
    """The walk ended before all was seen."""

    reason: str


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The rules of one ignore file, for what lies below the directory it stands in."""

    depth: int
    spec: "GitIgnoreSpec"

    @classmethod
    def parse(cls, text: str, depth: int) -> "IgnoreFile":
        return cls(depth, spec_of(line for line in text.split("\n")[:_MOST_LINES] if is_usable(line)))


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The innermost file that says anything about a path decides."""

    files: tuple[IgnoreFile, ...] = ()

    def with_files(self, files: Iterable[IgnoreFile]) -> "IgnoreRules":
        return IgnoreRules((*self.files, *files))

    def ignores(self, parts: tuple[str, ...], *, is_directory: bool) -> bool:
        for file in reversed(self.files):
            relative = "/".join(parts[file.depth :]) + ("/" if is_directory else "")
            verdict = file.spec.check_file(relative).include
            if verdict is not None:
                return verdict
        return False


@dataclass(frozen=True, slots=True)
class _Visit:
    directory: Target
    ignore: IgnoreRules
    # Where they are known already.
    entries: tuple[DirectoryEntry, ...] | None = None


def walk(files: Readable, start: Target, rules: Rules, deadline: Deadline) -> Iterator[Target | Stopped]:
    """Breadth first, each directory in order of names, so that what is cut off at a limit is the deepest.

    A start that is a file is all there is. One that does not exist raises; what cannot be listed below it is passed
    over. Blocks on the disk.
    """
    entries = _entries_unless_file(files, start)
    if entries is None:
        yield start
        return
    pending = deque([_Visit(start, _rules_above(files, start), entries)])
    visited = 0
    while pending:
        if deadline.passed:
            yield Stopped("it took too long")
            return
        if visited == _MOST_DIRECTORIES:
            yield Stopped(f"there are more than {_MOST_DIRECTORIES} folders")
            return
        visit = pending.popleft()
        visited += 1
        try:
            yield from _visit(files, visit, rules, pending)
        except UserError:
            continue


def is_ignored(files: Readable, path: WorkspacePath) -> bool:
    """Whether an ignore file of the workspace's names it, or a directory that it lies in."""
    rules = IgnoreRules()
    for depth in range(len(path.parts)):
        rules = rules.with_files(_ignore_files(files, WorkspacePath(path.folder, path.parts[:depth])))
        if rules.ignores(path.parts[: depth + 1], is_directory=depth + 1 < len(path.parts)):
            return True
    return False


def _entries_unless_file(files: Readable, start: Target) -> tuple[DirectoryEntry, ...] | None:
    try:
        return files.entries(start)
    except NotFound:
        files.read(start)
        return None


def _visit(files: Readable, visit: _Visit, rules: Rules, pending: deque[_Visit]) -> Iterator[Target]:
    entries = visit.entries if visit.entries is not None else files.entries(visit.directory)
    ignore = visit.ignore
    if isinstance(visit.directory, WorkspacePath) and any(entry.name in {".git", ".gitignore"} for entry in entries):
        ignore = ignore.with_files(_ignore_files(files, visit.directory))
    for entry in entries:
        path = _child(visit.directory, entry.name)
        if entry.kind in {"link", "special"} or fault_in_name(entry.name, rules.places.style) is not None:
            continue
        if not may_read(rules, path) or ignore.ignores(path.parts, is_directory=entry.kind == "directory"):
            continue
        if entry.kind == "file":
            yield path
        elif len(path.parts) < _DEEPEST:
            pending.append(_Visit(path, ignore))


def _rules_above(files: Readable, start: Target) -> IgnoreRules:
    """What the directories on the way to the start ignore holds below it, too."""
    rules = IgnoreRules()
    if isinstance(start, WorkspacePath):
        for depth in range(len(start.parts)):
            rules = rules.with_files(_ignore_files(files, WorkspacePath(start.folder, start.parts[:depth])))
    return rules


def _ignore_files(files: Readable, directory: WorkspacePath) -> Iterator[IgnoreFile]:
    candidates = [(".git", "info", "exclude"), (".gitignore",)]
    for parts in candidates if not directory.parts else candidates[1:]:
        try:
            text = files.read(WorkspacePath(directory.folder, (*directory.parts, *parts))).text
        except UserError:
            continue
        yield IgnoreFile.parse(text, len(directory.parts))


def _child(directory: Target, name: str) -> Target:
    match directory:
        case WorkspacePath(folder, parts):
            return WorkspacePath(folder, (*parts, name))
        case ScratchPath(parts):
            return ScratchPath((*parts, name))
        case AnswerPath(parts):
            return AnswerPath((*parts, name))


def spec_of(lines: Iterable[str]) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - it takes long to load, and not every session lists files

    return GitIgnoreSpec.from_lines(lines)


def is_usable(line: str) -> bool:
    """Whether a line is a pattern, and one that no name can make expensive."""
    if len(_WILDCARDS.findall(line)) > _MOST_WILDCARDS:
        return False
    try:
        spec_of([line])
    except ValueError:
        # git passes over a line that is no pattern, too.
        return False
    return True
