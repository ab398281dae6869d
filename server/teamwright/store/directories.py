"""Where a workspace's history lives: in the user's state directory, recognisable by name, for their eyes only."""

import hashlib
import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from platformdirs import user_state_path

STATE_DIR_VARIABLE = "TEAMWRIGHT_STATE_DIR"
_SLUG_LENGTH = 40
_ENFORCES_MODES = os.name == "posix"


def state_directories(given: Path | None, environ: Mapping[str, str]) -> tuple[Path, ...]:
    """The environment's, else the given one, else the platform's own; the last is one that nobody has named."""
    named = environ.get(STATE_DIR_VARIABLE)
    usual = user_state_path("teamwright", appauthor=False)
    unmoved = Path.home() / ".local" / "state" / "teamwright" if environ.get("XDG_STATE_HOME") else usual
    first = Path(named) if named else given
    return (usual, unmoved) if first is None else (first.expanduser().absolute(), usual, unmoved)


def workspace_directory(state: Path, roots: Sequence[Path]) -> Path:
    """The same folders give the same place, in whatever order and by whatever links the editor names them."""
    resolved = sorted(os.path.normcase(root.resolve()) for root in roots)
    digest = hashlib.sha256(b"\0".join(os.fsencode(root) for root in resolved)).hexdigest()[:12]
    return state / "workspaces" / f"{_slug(Path(resolved[0]).name if resolved else '')}-{digest}"


def _slug(name: str) -> str:
    words = re.sub(r"[^\w.]+", "-", unicodedata.normalize("NFC", name).lower())
    return words[:_SLUG_LENGTH].strip(".-") or "workspace"


def make_private_directory(path: Path) -> None:
    """Parents that are missing are made private too; those that exist belong to the user and stay as they are."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
    if _ENFORCES_MODES and path.stat().st_mode & 0o777 != 0o700:
        path.chmod(0o700)


def open_private(path: Path) -> int:
    """A descriptor for reading and writing; the file is made when there is none."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    if _ENFORCES_MODES and os.fstat(descriptor).st_mode & 0o777 != 0o600:
        os.fchmod(descriptor, 0o600)
    return descriptor
