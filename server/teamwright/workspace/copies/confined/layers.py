"""Directories that lie over each other, in the form that the kernel's overlays have: a device of number 0 says that
something is gone, and a mark on a directory that nothing below it shows through.

By plain paths, without pathlib, which takes its time to load. No link is ever followed.
"""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from teamwright.workspace.copies.confined.plan import Change, ChangeKind

_OPAQUE: Final = "user.overlay.opaque"
_MOST_CHANGES: Final = 50_000


def is_whiteout(status: os.stat_result) -> bool:
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == 0


def is_opaque(directory: str) -> bool:
    if not hasattr(os, "getxattr"):
        return False
    try:
        return os.getxattr(directory, _OPAQUE, follow_symlinks=False) == b"y"
    except OSError:
        return False


def make_whiteout(path: str) -> None:
    os.mknod(path, stat.S_IFCHR | 0o600, 0)


def is_real_directory(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def remove_tree(path: str) -> None:
    """What is closed is opened first: overlays leave directories of mode 000."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(status.st_mode):
        os.unlink(path)
        return
    with suppress(OSError):
        os.chmod(path, 0o700)
    for entry in _entries(path):
        remove_tree(entry.path)
    os.rmdir(path)


def hide(layer: str, hidden: list[str]) -> None:
    for path in hidden:
        target = f"{layer}/{path}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        try:
            make_whiteout(target)
        except PermissionError:
            # A kernel that keeps such devices to itself. An empty file hides as well.
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT))


def lay_over(layer: str, target: str) -> None:
    """What an overlay would show, by copying."""
    for entry in _entries(layer):
        path, status = f"{target}/{entry.name}", entry.stat(follow_symlinks=False)
        if is_whiteout(status):
            remove_tree(path)
        elif stat.S_ISDIR(status.st_mode):
            if is_opaque(entry.path) or not is_real_directory(path):
                remove_tree(path)
                os.mkdir(path)
            lay_over(entry.path, path)
        else:
            remove_tree(path)
            shutil.copy2(entry.path, path, follow_symlinks=False)


def size_below(root: str, apart: frozenset[str] = frozenset()) -> int:
    total, pending = 0, [root]
    while pending:
        with suppress(OSError):
            for entry in _entries(pending.pop()):
                status = entry.stat(follow_symlinks=False)
                total += status.st_blocks * 512
                if stat.S_ISDIR(status.st_mode) and entry.path not in apart:
                    pending.append(entry.path)
    return total


def walk(root: str, at: str = "") -> Iterator[tuple[str, os.stat_result]]:
    with suppress(OSError):
        for entry in _entries(root):
            path, status = _joined(at, entry.name), entry.stat(follow_symlinks=False)
            yield path, status
            if stat.S_ISDIR(status.st_mode):
                yield from walk(entry.path, path)


class Keeping:
    """Takes what a command has written in one folder into the directory where that is kept."""

    def __init__(self, number: int, kept: str, changes: list[Change], *, has_lower: bool) -> None:
        """`has_lower`: something lies beneath, so that what is gone must be said to be."""
        self._number = number
        self._kept = kept
        self._changes = changes
        self._has_lower = has_lower

    def merge(self, upper: str, at: str = "") -> None:
        """The layer that an overlay wrote to."""
        for entry in _entries(upper):
            path, status = _joined(at, entry.name), entry.stat(follow_symlinks=False)
            if is_whiteout(status):
                self.gone(path)
            elif stat.S_ISDIR(status.st_mode):
                self.directory(path, is_new=is_opaque(entry.path))
                self.merge(entry.path, path)
            else:
                self.written(path, entry.path, status)

    def gone(self, path: str) -> None:
        self._note("gone", path)
        self._make_way(path)
        if self._has_lower:
            make_whiteout(f"{self._kept}/{path}")

    def directory(self, path: str, *, is_new: bool) -> None:
        """`is_new`: nothing of what was there before is in it."""
        target = f"{self._kept}/{path}"
        if is_new:
            self._note("emptied", path)
        if not is_new and is_real_directory(target):
            return
        is_hiding = is_new or os.path.lexists(target)
        self._make_way(path)
        os.mkdir(target)
        if is_hiding and self._has_lower:
            os.setxattr(target, _OPAQUE, b"y")

    def written(self, path: str, source: str, status: os.stat_result) -> None:
        """Pipes and sockets are left where they are."""
        if stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
            self._note("file" if stat.S_ISREG(status.st_mode) else "link", path)
            self._make_way(path)
            shutil.copy2(source, f"{self._kept}/{path}", follow_symlinks=False)

    def _make_way(self, path: str) -> None:
        """The directories above exist, and nothing stands at the path itself."""
        at = self._kept
        for part in path.split("/")[:-1]:
            at = f"{at}/{part}"
            if not is_real_directory(at):
                remove_tree(at)
                os.mkdir(at)
        remove_tree(f"{self._kept}/{path}")

    def _note(self, kind: ChangeKind, path: str) -> None:
        if len(self._changes) < _MOST_CHANGES:
            self._changes.append((self._number, kind, path))


def _joined(at: str, name: str) -> str:
    return f"{at}/{name}" if at else name


def _entries(directory: str) -> list[os.DirEntry[str]]:
    with os.scandir(directory) as entries:
        return sorted(entries, key=lambda entry: entry.name)
