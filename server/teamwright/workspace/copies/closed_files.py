"""What a command must not see of a workspace: files that may hold secrets. Blocks on the disk."""

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from teamwright.permissions.protection import secrets_among

# What was installed there is nobody's secret, and certificates in it are needed.
_INSTALLED: Final = frozenset({"node_modules", "site-packages", "dist-packages", "__pycache__", ".tox", ".nox"})
_GIT: Final = ".git"
_LONGEST_CONFIG: Final = 200_000
# Sections of git's configuration that say how the repository is laid out, and nothing about who one is.
_HARMLESS: Final = frozenset(
    {"core", "extensions", "branch", "remote", "submodule", "index", "feature", "diff", "merge"}
)
_SECTION: Final = re.compile(r"\s*\[\s*([A-Za-z0-9.-]+)")
# Up to the last `@`: a password may hold one.
_CREDENTIALS: Final = re.compile(r"(\w+://)[^/\s]*@")
# Where package managers keep what they sign in with, beside the programs that they have installed.
_SIGN_INS: Final = frozenset({"npmrc", "pip.conf", "pip.ini", ".condarc", "condarc", "credentials", "credentials.toml"})
# Certificates of authorities, which anybody may see: programs are not programs without them.
_CERTIFICATES: Final = (".pem", ".crt")
_DEEPEST_SIGN_IN: Final = 2


@dataclass(frozen=True, slots=True)
class ClosedFiles:
    """Relative to the folder. `configurations` are git's, with the text that is shown instead."""

    hidden: tuple[str, ...]
    configurations: dict[str, str]


def find_closed(folder: Path, needed: Collection[str] = ()) -> ClosedFiles:
    """`needed` are closed files that the user's own configuration lets the command read."""
    hidden: list[str] = []
    configurations: dict[str, str] = {}
    pending = [""]
    while pending:
        at = pending.pop()
        names, directories = _listed(folder, at)
        closed = set(secrets_among(at.rpartition("/")[2], names))
        if _GIT in closed:
            closed.discard(_GIT)
            configurations |= _git_configurations(folder, _joined(at, _GIT))
        hidden += [path for name in sorted(closed) if (path := _joined(at, name)) not in needed]
        pending += [
            _joined(at, name) for name in directories if name not in closed and name not in _INSTALLED and name != _GIT
        ]
    return ClosedFiles(tuple(sorted(hidden)), configurations)


def find_sign_ins(toolchain: Path, depth: int = 0) -> Iterator[Path]:
    """What may hold secrets at the top of a directory of programs; what was installed deeper down is nobody's."""
    names, directories = _listed(toolchain, "")
    closed = {name for name in secrets_among(toolchain.name, names) if not name.endswith(_CERTIFICATES)}
    closed |= _SIGN_INS.intersection(names)
    yield from (toolchain / name for name in sorted(closed))
    if depth < _DEEPEST_SIGN_IN:
        for name in directories:
            if name not in closed and name not in _INSTALLED:
                yield from find_sign_ins(toolchain / name, depth + 1)


def without_credentials(config: str) -> str:
    """git's configuration with only what says how the repository is laid out."""
    kept: list[str] = []
    is_kept = True
    for line in config.splitlines():
        section = _SECTION.match(line)
        if section is not None:
            is_kept = section.group(1).split(".")[0].lower() in _HARMLESS
        if is_kept:
            kept.append(_CREDENTIALS.sub(r"\1", line))
    return "".join(f"{line}\n" for line in kept)


def _listed(folder: Path, at: str) -> tuple[list[str], list[str]]:
    try:
        # A path object is dear to make where there are thousands of directories.
        with os.scandir(f"{folder}/{at}") as listed:
            entries = list(listed)
        return [each.name for each in entries], [each.name for each in entries if each.is_dir(follow_symlinks=False)]
    except OSError:
        # What the user may not read the command may not read either.
        return [], []


def _git_configurations(folder: Path, git: str) -> dict[str, str]:
    """Of the repository and of the submodules in it."""
    found: dict[str, str] = {}
    pending = [git]
    while pending:
        at = pending.pop()
        for name in ("config", "config.worktree"):
            if (text := read_git_config(folder / at / name)) is not None:
                found[f"{at}/{name}"] = without_credentials(text)
        # The name of a submodule may be a path.
        names, directories = _listed(folder, at)
        within = ("modules", "worktrees") if "HEAD" in names else directories
        pending += [f"{at}/{name}" for name in within]
    return found


def read_git_config(path: Path) -> str | None:
    try:
        if path.is_symlink() or not path.is_file():
            return None
        with path.open(encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_LONGEST_CONFIG)
    except OSError:
        return None


def _joined(at: str, name: str) -> str:
    return f"{at}/{name}" if at else name
