"""Where configuration is written down: which files count, whose word they are, and their bytes. The disk's edge."""

import os
import stat
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

import platformdirs

from teamwright.config.problems import Problem, SourceSpan
from teamwright.config.yaml_reader import LARGEST_FILE

# From strongest to weakest. What the workspace says is narrowed by what the user says in the other two.
Role: TypeAlias = Literal["explicit", "workspace", "user"]

# As many links as a kernel follows; whoever needs more has nothing good in mind.
_MOST_LINKS: Final = 40

WORKSPACE_FILES = (Path(".teamwright", "config.yaml"), Path("teamwright.yaml"))


@dataclass(frozen=True, slots=True)
class ConfigSource:
    role: Role
    file: str
    content: str | bytes


@dataclass(frozen=True, slots=True)
class ConfigSources:
    found: tuple[ConfigSource, ...] = ()
    faults: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()


def read_source(path: Path, role: Role = "explicit") -> ConfigSource | Problem:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return Problem(SourceSpan(str(path)), "", "not a plain file, name a YAML file")
        with path.open("rb") as file:
            # One byte more than allowed, for the reader to notice.
            return ConfigSource(role, str(path), file.read(LARGEST_FILE + 1))
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "not a usable path"
        return Problem(SourceSpan(str(path)), "", f"cannot be read ({reason.lower()}), check the path")


def user_file(environ: Mapping[str, str], folders: Sequence[Path] = ()) -> Path:
    """The user's own. A variable that leads into one of the folders says nothing here: no workspace is its user."""
    named = _named_file(environ)
    if named is not None and not is_of_workspace(named, folders):
        return named
    usual = Path(platformdirs.user_config_dir("teamwright", appauthor=False), "config.yaml")
    if environ.get("XDG_CONFIG_HOME") and is_of_workspace(usual, folders):
        return Path.home() / ".config" / "teamwright" / "config.yaml"
    return usual


def _named_file(environ: Mapping[str, str]) -> Path | None:
    named = environ.get("TEAMWRIGHT_CONFIG")
    return Path(named) if named else None


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A configuration that was pointed at. What a person has typed is their word, wherever the file lies; what an
    editor passes on may have been set by the workspace."""

    path: Path
    is_typed: bool = False

    def is_own(self, folders: Sequence[Path]) -> bool:
        return self.is_typed or not is_of_workspace(self.path, folders)


_UNTRUSTED: Final = "not read, trust this workspace to use it; in a terminal: --trusted"


def find_sources(
    *,
    explicit: NamedFile | None = None,
    folders: Sequence[Path] = (),
    trusted: bool = False,
    environ: Mapping[str, str],
) -> ConfigSources:
    """The files of every layer, strongest first. Before trust nothing of the workspace is read.

    `folders`: those that are open, the workspace's own files being looked for in the first.
    """
    warnings: list[Problem] = []
    wanted: list[tuple[Role, Path]] = []
    if explicit is not None and explicit.is_own(folders):
        wanted.append(("explicit", explicit.path))
    if in_workspace := _workspace_files(explicit, folders, environ):
        used, *unused = in_workspace
        if trusted:
            wanted.append(("workspace", used))
            warnings += [
                Problem(SourceSpan(str(path)), "", f"not read, {used} stands before it, keep one") for path in unused
            ]
        else:
            warnings.append(Problem(SourceSpan(str(used)), "", _UNTRUSTED))
    own = user_file(environ, folders)
    if own.exists():
        wanted.append(("user", own))
    elif own == _named_file(environ):
        warnings.append(Problem(SourceSpan(str(own)), "", "does not exist, correct TEAMWRIGHT_CONFIG"))
    outcomes = [read_source(path, role) for role, path in wanted]
    return ConfigSources(
        found=tuple(each for each in outcomes if isinstance(each, ConfigSource)),
        faults=tuple(each for each in outcomes if isinstance(each, Problem)),
        warnings=tuple(warnings),
    )


def _workspace_files(
    explicit: NamedFile | None, folders: Sequence[Path], environ: Mapping[str, str]
) -> tuple[Path, ...]:
    """What the workspace says, however one was led there: the file that was pointed at before those of usual names."""
    pointed_at = [explicit.path] if explicit is not None and not explicit.is_own(folders) else []
    named = _named_file(environ)
    if named is not None and is_of_workspace(named, folders):
        pointed_at.append(named)
    usual = [path for name in WORKSPACE_FILES for folder in folders[:1] if (path := folder / name).exists()]
    return tuple(dict.fromkeys((*pointed_at, *usual)))


def resolved_path(path: str, workspace: Path) -> Path:
    """A configured path as an absolute one, without touching the disk or following links."""
    try:
        expanded = Path(path).expanduser()
    except RuntimeError:
        # `~name` of a user that is not there: then it is a plain name.
        expanded = Path(path)
    return Path(os.path.normpath(workspace / expanded))


def is_of_workspace(path: Path, folders: Sequence[Path]) -> bool:
    """Whether a folder has a say in what is found there, by a link, by another spelling or by lying in it.

    A path whose links go round in circles counts as the workspace's: what cannot be judged is not the user's.
    """
    try:
        return any(_is_below(directory, folders) for directory in _directories_on_the_way(path))
    except (OSError, ValueError):
        return True


def _directories_on_the_way(path: Path) -> Iterator[Path]:
    """Every directory that is looked into for a name, in the order of the walk, without a link in any of them."""
    absolute = path if path.is_absolute() else Path.cwd() / path
    current, pending, links = Path(absolute.anchor), deque(absolute.parts[1:]), 0
    while pending:
        name = pending.popleft()
        if name == os.pardir:
            current = current.parent
            continue
        yield current
        target = _target(current / name)
        if target is None:
            current /= name
            continue
        links += 1
        if links > _MOST_LINKS:
            raise OSError("too many links")
        led_to = current / target
        current, pending = Path(led_to.anchor), deque((*led_to.parts[1:], *pending))


def _target(path: Path) -> Path | None:
    """Where a link leads, a junction of Windows being one, too; None for anything else, and where nothing is."""
    try:
        return path.readlink()
    except OSError:
        return None


def _is_below(directory: Path, folders: Sequence[Path]) -> bool:
    return any(_is_same(above, folder) for above in (directory, *directory.parents) for folder in folders)


def _is_same(one: Path, other: Path) -> bool:
    try:
        # By what they are on disk: case, normal forms, short names and mounts do not matter then.
        return one.samefile(other)
    except OSError:
        return os.path.normcase(one) == os.path.normcase(other)
