"""A tree for where the kernel lets nobody make overlays: files are cloned, or copied where they cannot be."""

import errno
import fcntl
import os
import shutil
import stat
from contextlib import suppress
from typing import Final

from teamwright.workspace.copies.confined.layers import Keeping, lay_over, size_below, walk
from teamwright.workspace.copies.confined.plan import Change, CommandPlan, FolderPlan
from teamwright.workspace.copies.confined.system_calls import Fault

_FICLONE: Final = 0x40049409
# What tells that a file is another one, or was written to.
_State = tuple[int, ...]


class CopiedTree:
    def __init__(self, plan: CommandPlan) -> None:
        self._folders = plan["folders"]
        self._copying = _Copying()
        self._is_shut_in = bool(plan["bubblewrap"])
        self.place = plan["place"]
        self.sources: list[str] = []
        self._before: list[dict[str, _State]] = []

    @property
    def is_costly_to_measure(self) -> bool:
        return True

    def build(self) -> None:
        for number, folder in enumerate(self._folders):
            target = f"{self.place}/{number}"
            try:
                self._copy(folder, target)
            except OSError as error:
                raise Fault("copy", error) from error
            self.sources.append(target)
            self._before.append({} if folder["kept"] is None else _states_below(target))

    def used_bytes(self) -> int:
        return size_below(self.place)

    def keep(self) -> list[Change]:
        changes: list[Change] = []
        for number, folder in enumerate(self._folders):
            if folder["kept"] is not None:
                keeping = Keeping(number, folder["kept"], changes, has_lower=folder["kept"] != folder["path"])
                _keep_differences(keeping, self.sources[number], self._before[number])
        return changes

    def _copy(self, folder: FolderPlan, target: str) -> None:
        os.mkdir(target)
        self._copying.directory(folder["path"], target, frozenset((*folder["hidden"], *folder["shared"])))
        for path in folder["shared"]:
            if self._is_shut_in:
                os.makedirs(f"{target}/{path}", exist_ok=True)
            elif path.rpartition("/")[2] != ".git":
                # The user's own. Not so the repository: what git does would be done to theirs.
                os.symlink(f"{folder['path']}/{path}", f"{target}/{path}")
        for layer in reversed(folder["layers"]):
            lay_over(layer, target)
        for path in folder["removed"]:
            with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
                os.unlink(f"{target}/{path}")


class _Copying:
    def __init__(self) -> None:
        self._can_clone = True

    def directory(self, source: str, target: str, left_out: frozenset[str], at: str = "") -> None:
        """What the user may not read is not there."""
        with os.scandir(source) as entries:
            found = list(entries)
        for entry in found:
            path, copy = f"{at}/{entry.name}" if at else entry.name, f"{target}/{entry.name}"
            if path in left_out:
                continue
            with suppress(PermissionError):
                if entry.is_symlink():
                    os.symlink(os.readlink(entry.path), copy)
                elif entry.is_dir(follow_symlinks=False):
                    os.mkdir(copy)
                    self.directory(entry.path, copy, left_out, path)
                elif entry.is_file(follow_symlinks=False):
                    self._file(entry.path, copy)

    def _file(self, source: str, target: str) -> None:
        if not (self._can_clone and self._cloned(source, target)):
            shutil.copyfile(source, target)
        shutil.copystat(source, target)

    def _cloned(self, source: str, target: str) -> bool:
        """Shares the blocks where the file system can."""
        old = os.open(source, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            new = os.open(target, os.O_WRONLY | os.O_CREAT)
            try:
                fcntl.ioctl(new, _FICLONE, old)
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    raise
                self._can_clone = False
            finally:
                os.close(new)
        finally:
            os.close(old)
        return self._can_clone


def _states_below(root: str) -> dict[str, _State]:
    return {path: _state(status) for path, status in walk(root)}


def _state(status: os.stat_result) -> _State:
    if stat.S_ISDIR(status.st_mode):
        return (status.st_mode,)
    return (status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _keep_differences(keeping: Keeping, tree: str, before: dict[str, _State]) -> None:
    after = {path: (status, _state(status)) for path, status in walk(tree)}
    for path in before:
        # What lay in a directory that is gone went with it.
        if path not in after and ("/" not in path or os.path.dirname(path) in after):
            keeping.gone(path)
    for path, (status, state) in after.items():
        if before.get(path) == state:
            continue
        if stat.S_ISDIR(status.st_mode):
            if path not in before:
                keeping.directory(path, is_new=False)
        else:
            keeping.written(path, f"{tree}/{path}", status)
