"""A tree made of overlays: nothing is copied, whatever its size."""

import os
from contextlib import suppress
from typing import Final

from teamwright.workspace.copies.confined.layers import Keeping, hide, size_below
from teamwright.workspace.copies.confined.plan import Change, CommandPlan, FolderPlan
from teamwright.workspace.copies.confined.system_calls import NOSUID_NODEV, Fault, enter_own_mounts, mount

_ROOM_LEFT_BYTES: Final = 4096
_BYTES_PER_FILE: Final = 1024


class OverlayTree:
    """Each folder is an overlay: the folder itself, the layers over it, and a last one that takes what is written."""

    def __init__(self, plan: CommandPlan) -> None:
        self._folders = plan["folders"]
        self._disk = plan["limits"]["disk"]
        self._is_on_disk = plan["upper_on_disk"]
        self.place = plan["place"]
        self.sources: list[str] = []

    @property
    def is_costly_to_measure(self) -> bool:
        return self._is_on_disk

    def build(self) -> None:
        enter_own_mounts()
        if not self._is_on_disk:
            self._mount_memory()
        for number, folder in enumerate(self._folders):
            self._overlay(f"{self.place}/{number}", folder)

    def used_bytes(self) -> int:
        if self._is_on_disk:
            return size_below(self.place, frozenset(self.sources))
        room = os.statvfs(self.place)
        is_full = room.f_bavail * room.f_bsize < _ROOM_LEFT_BYTES or room.f_favail == 0
        return self._disk if is_full else (room.f_blocks - room.f_bfree) * room.f_bsize

    def keep(self) -> list[Change]:
        """What was written goes where the folder's writes are kept; the rest ends with this process."""
        changes: list[Change] = []
        for number, folder in enumerate(self._folders):
            if folder["kept"] is not None:
                keeping = Keeping(number, folder["kept"], changes, has_lower=folder["kept"] != folder["path"])
                keeping.merge(f"{self.place}/{number}/upper")
        return changes

    def _mount_memory(self) -> None:
        """Of a bounded size; it is gone with the namespace, however that ends."""
        options = f"size={self._disk},nr_inodes={max(1000, self._disk // _BYTES_PER_FILE)},mode=0700"
        try:
            mount("tmpfs", self.place, "tmpfs", NOSUID_NODEV, options)
        except OSError as error:
            raise Fault("tmpfs", error) from error

    def _overlay(self, base: str, folder: FolderPlan) -> None:
        for name in ("", "/hidden", "/upper", "/work", "/merged"):
            os.mkdir(base + name)
        hide(f"{base}/hidden", folder["hidden"])
        layers = [*folder["layers"], f"{base}/hidden", folder["path"]]
        # By descriptors, because a path may hold what separates the options.
        descriptors = [_opened(layer) for layer in layers]
        lower = ":".join(f"/proc/self/fd/{descriptor}" for descriptor in descriptors)
        options = f"lowerdir={lower},upperdir={base}/upper,workdir={base}/work,userxattr"
        try:
            mount("overlay", f"{base}/merged", "overlay", NOSUID_NODEV, options)
        except OSError as error:
            raise Fault("overlay", error) from error
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        for path in folder["removed"]:
            with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
                os.unlink(f"{base}/merged/{path}")
        self.sources.append(f"{base}/merged")


def _opened(path: str) -> int:
    try:
        return os.open(path, os.O_PATH | os.O_DIRECTORY)
    except OSError as error:
        raise Fault(f"folder {path}", error) from error
