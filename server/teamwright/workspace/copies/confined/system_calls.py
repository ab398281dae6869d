"""What the standard library has no functions for on every Python that we run on. Linux only."""

import ctypes
import os
import signal
import sys
from typing import Final

from teamwright.workspace.copies.confined.plan import FaultReport

NOSUID_NODEV: Final = 0x2 | 0x4
PRIVATE: Final = 0x4000 | 0x40000
_CLONE_NEWNS: Final = 0x00020000
_CLONE_NEWUSER: Final = 0x10000000
_PR_SET_PDEATHSIG: Final = 1
_libc: Final = ctypes.CDLL(None, use_errno=True)


class Fault(Exception):
    """The command was not begun. `stage` says what could not be done."""

    def __init__(self, stage: str, error: OSError) -> None:
        super().__init__(stage)
        self.report = FaultReport(stage=stage, said=error.strerror or str(error), errno=error.errno)


def mount(source: str, target: str, kind: str, flags: int, options: str) -> None:
    _call("mount", source.encode(), os.fsencode(target), kind.encode(), flags, options.encode())


def end_with_parent() -> None:
    """Where the kernel can; elsewhere whoever waits for it ends it."""
    if sys.platform != "linux":
        return
    _call("prctl", _PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def enter_own_mounts() -> None:
    """Into a namespace where mounting is allowed and nobody else sees it. Root needs no users of its own for that."""
    uid, gid = os.geteuid(), os.getegid()
    try:
        if uid != 0 or not _unshared(_CLONE_NEWNS):
            _call("unshare", _CLONE_NEWUSER | _CLONE_NEWNS)
            _say("/proc/self/setgroups", "deny")
            _say("/proc/self/uid_map", f"0 {uid} 1")
            _say("/proc/self/gid_map", f"0 {gid} 1")
        mount("none", "/", "none", PRIVATE, "")
    except OSError as error:
        raise Fault("namespace", error) from error


def _unshared(flags: int) -> bool:
    try:
        _call("unshare", flags)
    except PermissionError:
        return False
    return True


def _call(name: str, *arguments: bytes | int) -> None:
    if getattr(_libc, name)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _say(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
