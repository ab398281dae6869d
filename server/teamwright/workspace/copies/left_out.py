"""What commands have written in a working copy and no change of the workspace holds, and why. Blocks on the disk."""

import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from teamwright.permissions.paths import WorkspacePath
from teamwright.permissions.protection import protection_of
from teamwright.permissions.rules import Roots
from teamwright.protocol.errors import UserError
from teamwright.workspace.copies.new_names import NewNames
from teamwright.workspace.copies.scratch import AgentFiles
from teamwright.workspace.files.safe_files import READ_LIMIT_BYTES
from teamwright.workspace.files.text import Binary, decode
from teamwright.workspace.files.walking import is_ignored

# What programs leave behind wherever they run, whether or not somebody thought of ignoring it.
_CACHES: Final = frozenset(("__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis")) | frozenset(
    ("node_modules", ".venv", ".tox", ".nox")
)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The reason goes on from the file's name: it *is binary*."""

    path: WorkspacePath
    reason: str


def is_worth_keeping(files: AgentFiles, path: WorkspacePath) -> bool:
    """Whether anybody would want to have it: what is ignored is made again."""
    return _CACHES.isdisjoint(path.parts) and not is_ignored(files, path)


def reason_against(roots: Roots, path: WorkspacePath) -> str | None:
    """Why the run may not change a file; None: it may."""
    if not roots.writable(path):
        return "is not among the write paths of this run"
    if roots.guarded(path):
        return "is protected by the configuration"
    return None if protection_of(path.parts) is None else "holds secrets or steers other programs"


def left_out(files: AgentFiles, roots: Roots, names: NewNames, written: Iterable[WorkspacePath]) -> Iterator[LeftOut]:
    """Of what was written, that which stays in the copy alone."""
    staged, layers = files.staged.presence(), files.kept_layers()
    for path in written:
        if path in staged or path.folder not in layers or not is_worth_keeping(files, path):
            continue
        at = layers[path.folder].path.joinpath(*path.parts)
        reason = reason_against(roots, path)
        try:
            status = at.lstat()
            if reason is None and (fault := names.fault(path)) is not None:
                reason = f"has a name that misleads ({fault})"
            if reason is None:
                reason = _by_content(files, path, status.st_mode, status.st_size)
        except (OSError, UserError):
            continue
        yield LeftOut(path, reason)


def _by_content(files: AgentFiles, path: WorkspacePath, mode: int, size: int) -> str:
    if stat.S_ISLNK(mode):
        return "is a link"
    if size > READ_LIMIT_BYTES:
        return "is too large"
    data = files.kept_layers()[path.folder].read(path.parts)
    return "is binary" if isinstance(decode(data), Binary) else "is one file too many"
