"""The paths that tools speak: parsed into a closed union before anything is decided about them, and written back."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from teamwright.permissions.names import PathStyle, fault_in_name

SCRATCH = "scratch"
ANSWERS = "answers"

_ANSWER_LABEL = re.compile(r"agent[1-9][0-9]*\.[1-9][0-9]*")
_DRIVE = re.compile(r"[A-Za-z]:")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_LONGEST_PATH = 4096
# Beside hidden ones, the folders of a home in which programs keep what is theirs.
_OF_PROGRAMS = frozenset({"library", "appdata", "application data", "snap"})


@dataclass(frozen=True, slots=True)
class WorkspacePath:
    """Something in a folder of the workspace; no parts: the folder itself."""

    folder: str
    parts: tuple[str, ...] = ()

    def within(self, root: "WorkspacePath") -> bool:
        return self.folder == root.folder and self.parts[: len(root.parts)] == root.parts


@dataclass(frozen=True, slots=True)
class ScratchPath:
    """Something in the agent's own scratch folder."""

    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerPath:
    """Something an agent had written when it answered; the first part is the answer's label."""

    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefusedPath:
    reason: str


Target = WorkspacePath | ScratchPath | AnswerPath
ToolPath = Target | RefusedPath


@dataclass(frozen=True, slots=True)
class PlacedFolder:
    """A folder of the workspace: its name in tool paths, and every absolute path that leads to it."""

    name: str
    spellings: tuple[str, ...]
    # The user's home itself: what programs keep there is nobody's work.
    is_home: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of the workspace, the first one being what relative paths start from."""

    folders: tuple[PlacedFolder, ...]
    style: PathStyle = "posix"

    def is_private(self, path: WorkspacePath) -> bool:
        """Whether it is among what programs keep in a home."""
        first = path.parts[0] if path.parts else ""
        is_kept = first.startswith(".") or first.casefold() in _OF_PROGRAMS
        return is_kept and any(folder.is_home and folder.name == path.folder for folder in self.folders)


def parse_path(text: str, places: Places) -> ToolPath:
    if not text.strip():
        return RefusedPath("a path is needed; `.` is the workspace folder")
    if len(text) > _LONGEST_PATH:
        return RefusedPath("the path is too long")
    if _URI.match(text):
        return RefusedPath("give a path, not a URI")
    if text.startswith("~"):
        return RefusedPath("`~` is not expanded; give a path relative to the workspace folder")
    absolute = _absolute_parts(text, places.style)
    if absolute is not None:
        return _parse_absolute(text, absolute, places)
    parts = _split(_with_slashes(text, places.style))
    return _first_fault(parts, places.style) or _place(parts, places)


def render_path(path: Target, places: Places) -> str:
    """What `parse_path` reads as the same path again."""
    match path:
        case ScratchPath(parts):
            return "/".join((SCRATCH, *parts))
        case AnswerPath(parts):
            return "/".join((ANSWERS, *parts))
        case WorkspacePath(folder, parts):
            is_first = bool(places.folders) and folder == places.folders[0].name
            if not is_first:
                return "/".join((folder, *parts))
            if _reads_as_first_folder(parts, places):
                return "/".join(parts) or "."
            # The name is taken by scratch, answers or another folder, or looks absolute: only the full path is clear.
            return "/".join((places.folders[0].spellings[0].rstrip("/\\"), *parts))


def _reads_as_first_folder(parts: tuple[str, ...], places: Places) -> bool:
    """Where a relative path leads is its first part's to say; the others need only be names."""
    if not _opens_first_folder(parts[0] if parts else ".", places):
        return False
    below = parts[1:]
    is_short = sum(map(len, parts)) + len(parts) <= _LONGEST_PATH
    return is_short and all(part not in {"", "."} for part in below) and _first_fault(below, places.style) is None


@lru_cache(maxsize=256)
def _opens_first_folder(first: str, places: Places) -> bool:
    """Asked for every file of a listing, and most of them begin alike."""
    return parse_path(first, places) == WorkspacePath(places.folders[0].name, () if first == "." else (first,))


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names for folders in tool paths: no two alike, none that scratch or answers would hide."""
    taken = {SCRATCH, ANSWERS}
    unique: list[str] = []
    for name in names:
        candidate, count = name, 2
        while candidate in taken:
            candidate, count = f"{name}-{count}", count + 1
        taken.add(candidate)
        unique.append(candidate)
    return tuple(unique)


def _place(parts: tuple[str, ...], places: Places) -> ToolPath:
    first = parts[0] if parts else None
    if first == SCRATCH:
        return ScratchPath(parts[1:])
    if first == ANSWERS:
        if len(parts) > 1 and not _ANSWER_LABEL.fullmatch(parts[1]):
            return RefusedPath(f"`{parts[1]}` is not the label of an answer; labels look like `agent1.2`")
        return AnswerPath(parts[1:])
    if not places.folders:
        return RefusedPath("no folder is open in the editor")
    for folder in places.folders[1:]:
        if first == folder.name:
            return WorkspacePath(folder.name, parts[1:])
    return WorkspacePath(places.folders[0].name, parts)


def _parse_absolute(text: str, parts: tuple[str, ...], places: Places) -> ToolPath:
    fault = _first_fault(parts[1:], places.style)
    if fault is not None:
        return fault
    innermost: tuple[int, PlacedFolder] | None = None
    for folder in places.folders:
        for spelling in folder.spellings:
            root = _absolute_parts(spelling, places.style)
            if root is not None and _starts_with(parts, root, places.style):
                depth = len(root)
                innermost = max(innermost or (0, folder), (depth, folder), key=lambda found: found[0])
    if innermost is None:
        return RefusedPath(f"`{text}` is outside the workspace")
    depth, folder = innermost
    return WorkspacePath(folder.name, parts[depth:])


def _absolute_parts(text: str, style: PathStyle) -> tuple[str, ...] | None:
    """The parts of an absolute path, the first naming where it starts, or None when it is relative."""
    slashed = _with_slashes(text, style)
    if style == "posix":
        return ("/", *_split(slashed)) if slashed.startswith("/") else None
    if slashed.startswith("//"):
        return ("//", *_split(slashed))
    if slashed.startswith("/") or _DRIVE.match(slashed):
        drive, _, rest = slashed.partition("/")
        return (drive, *_split(rest))
    return None


def _starts_with(parts: tuple[str, ...], root: tuple[str, ...], style: PathStyle) -> bool:
    start = parts[: len(root)]
    if style == "posix":
        return start == root
    return [part.casefold() for part in start] == [part.casefold() for part in root]


def _with_slashes(text: str, style: PathStyle) -> str:
    return text.replace("\\", "/") if style == "windows" else text


def _split(slashed: str) -> tuple[str, ...]:
    return tuple(part for part in slashed.split("/") if part not in {"", "."})


def _first_fault(parts: tuple[str, ...], style: PathStyle) -> RefusedPath | None:
    faults = (fault_in_name(part, style) for part in parts)
    return next((RefusedPath(fault) for fault in faults if fault is not None), None)
