"""Where configuration is written down: which files count, and their bytes. The edge to the disk."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import platformdirs

from quorate.config.problems import Place, Problem
from quorate.config.yaml_reader import LARGEST_FILE

# From strongest to weakest. What the workspace says is narrowed by what the user says in the other two.
Role: TypeAlias = Literal["explicit", "workspace", "user"]

WORKSPACE_FILES = (Path(".quorate", "config.yaml"), Path("quorate.yaml"))


@dataclass(frozen=True, slots=True)
class Source:
    role: Role
    file: str
    content: str | bytes


@dataclass(frozen=True, slots=True)
class Sources:
    found: tuple[Source, ...] = ()
    faults: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()


def read_source(path: Path, role: Role = "explicit") -> Source | Problem:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return Problem(Place(str(path)), "", "not a plain file, name a YAML file")
        with path.open("rb") as file:
            # One byte more than allowed, for the reader to notice.
            return Source(role, str(path), file.read(LARGEST_FILE + 1))
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "not a usable path"
        return Problem(Place(str(path)), "", f"cannot be read ({reason.lower()}), check the path")


def user_file(environ: Mapping[str, str]) -> Path:
    named = environ.get("QUORATE_CONFIG")
    return Path(named) if named else Path(platformdirs.user_config_dir("quorate", appauthor=False), "config.yaml")


def find_sources(
    *, explicit: Path | None = None, workspace: Path | None = None, trusted: bool = False, environ: Mapping[str, str]
) -> Sources:
    """The files of every layer, strongest first. Before trust nothing of the workspace is read."""
    warnings: list[Problem] = []
    wanted: list[tuple[Role, Path]] = []
    if explicit is not None:
        wanted.append(("explicit", explicit))
    in_workspace = [workspace / name for name in WORKSPACE_FILES if (workspace / name).exists()] if workspace else []
    if in_workspace and not trusted:
        warnings.append(Problem(Place(str(in_workspace[0])), "", "not read, trust this workspace to use it"))
    elif in_workspace:
        used, *unused = in_workspace
        wanted.append(("workspace", used))
        warnings += [Problem(Place(str(path)), "", f"not read, {used} stands before it, keep one") for path in unused]
    own = user_file(environ)
    if own.exists():
        wanted.append(("user", own))
    elif environ.get("QUORATE_CONFIG"):
        warnings.append(Problem(Place(str(own)), "", "does not exist, correct QUORATE_CONFIG"))
    outcomes = [read_source(path, role) for role, path in wanted]
    return Sources(
        found=tuple(each for each in outcomes if isinstance(each, Source)),
        faults=tuple(each for each in outcomes if isinstance(each, Problem)),
        warnings=tuple(warnings),
    )


def resolved_path(path: str, workspace: Path) -> Path:
    """A configured path as an absolute one, without touching the disk or following links."""
    try:
        expanded = Path(path).expanduser()
    except RuntimeError:
        # `~name` of a user that is not there: then it is a plain name.
        expanded = Path(path)
    return Path(os.path.normpath(workspace / expanded))
