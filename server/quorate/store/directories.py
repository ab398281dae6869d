"""Where a workspace's history lives: in the user's state directory, under a name that a person recognises."""

import hashlib
import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from platformdirs import user_state_path

STATE_DIR_VARIABLE = "QUORATE_STATE_DIR"
_SLUG_LENGTH = 40


def state_directory(given: Path | None, environ: Mapping[str, str]) -> Path:
    """The environment's, else the given one, else the platform's own."""
    named = environ.get(STATE_DIR_VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    if given is not None:
        return given.expanduser().absolute()
    return user_state_path("quorate", appauthor=False)


def workspace_directory(state: Path, roots: Sequence[Path]) -> Path:
    """The same folders give the same place, in whatever order and by whatever links the editor names them."""
    resolved = sorted(os.path.normcase(root.resolve()) for root in roots)
    digest = hashlib.sha256(b"\0".join(os.fsencode(root) for root in resolved)).hexdigest()[:12]
    return state / "workspaces" / f"{_slug(Path(resolved[0]).name if resolved else '')}-{digest}"


def _slug(name: str) -> str:
    words = re.sub(r"[^\w.]+", "-", unicodedata.normalize("NFC", name).lower())
    return words[:_SLUG_LENGTH].strip(".-") or "workspace"
