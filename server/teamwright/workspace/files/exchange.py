"""What the kernel can do to two names at once, and who else writes to a file. All that depends on the platform is here.

A name is a descriptor of its directory and an entry in it. Where the system or the file system cannot do it, that is an
OSError of the kinds in `UNSUPPORTED`.
"""

import errno
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

UNSUPPORTED: Final = frozenset({errno.ENOSYS, errno.EINVAL, errno.EXDEV, errno.ENOTSUP, errno.EOPNOTSUPP})


@dataclass(frozen=True, slots=True)
class Name:
    directory: int
    entry: str


def exchange(one: Name, other: Name) -> None:
    """Each takes the other's place, in one step that nobody can come between. Both must be there."""
    _rename(one, other, _SWAP)


def move_to_free_place(source: Name, target: Name) -> None:
    """Raises FileExistsError where something is there already, however late it came."""
    try:
        _rename(source, target, _ONLY_IF_FREE)
    except OSError as error:
        if error.errno not in UNSUPPORTED or error.errno == errno.EXDEV:
            raise
        os.link(source.entry, target.entry, src_dir_fd=source.directory, dst_dir_fd=target.directory)
        os.unlink(source.entry, dir_fd=source.directory)


if sys.platform != "win32":
    import fcntl

    def is_held(descriptor: int) -> bool:
        """Whether another process has taken hold of this file. If not, this one has from now on, until it ends."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        return False
else:

    def is_held(descriptor: int) -> bool:
        """Nothing is set aside here, so nothing is left of others."""
        del descriptor
        return True


# The flags of Linux and of macOS; elsewhere there is no such call.
_SWAP: Final = 2
_ONLY_IF_FREE: Final = 1 if sys.platform == "linux" else 4

if sys.platform == "linux":
    import fcntl

    def has_writer(descriptor: int) -> bool | None:
        """Whether anybody has the file open for writing, or a part of it mapped so. None: the system does not say.

        `descriptor` is open for reading alone.
        """
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except OSError as error:
            return True if error.errno == errno.EAGAIN else None
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return False
else:

    def has_writer(descriptor: int) -> bool | None:
        del descriptor
        return None


def _rename(source: Name, target: Name, flag: int) -> None:
    call = _rename_call()
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    number = call(source.directory, os.fsencode(source.entry), target.directory, os.fsencode(target.entry), flag)
    if number != 0:
        raise OSError(number, os.strerror(number), target.entry)


@cache
def _rename_call() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """Answers with the number of the error, or 0."""
    import ctypes  # noqa: PLC0415 - few servers ever write to the disk

    library = ctypes.CDLL(None, use_errno=True)
    call = getattr(library, "renameat2" if sys.platform == "linux" else "renameatx_np", None)
    if call is None:
        return None
    call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    call.restype = ctypes.c_int

    def rename(source: int, old: bytes, target: int, new: bytes, flag: int) -> int:
        return 0 if call(source, old, target, new, flag) == 0 else ctypes.get_errno()

    return rename
