"""What goes wrong with the disk, as a user meets it. What was acknowledged before stays, whatever is said here."""

import errno
import os
import shutil
import sqlite3
import sys
from pathlib import Path

from teamwright.protocol.errors import UserError

_NO_ROOM = 64 * 1024
_PRIMARY_CODE = 0xFF  # SQLite's extended codes carry the primary one in their low byte

if sys.platform == "win32":

    def _is_full(path: Path) -> bool:
        return shutil.disk_usage(path.parent).free < _NO_ROOM
else:
    import resource

    def _is_full(path: Path) -> bool:
        """Whether the disk has no room, or this process may not write any larger file."""
        try:
            disk = os.statvfs(path.parent)
            largest = max(each.stat().st_size for each in (path, path.with_name(path.name + "-wal")) if each.exists())
        except (OSError, ValueError):
            return False
        limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
        is_limited = limit != resource.RLIM_INFINITY and largest + _NO_ROOM > limit
        return is_limited or disk.f_bavail * disk.f_frsize < _NO_ROOM or disk.f_favail == 0 < disk.f_files


class StoreError(UserError):
    """The history cannot be read or written just now; the sentence says what to do."""

    status = 507


class StoreDamaged(StoreError):
    """What lies on the disk makes no sense any more."""


def is_damage(fault: BaseException | None) -> bool:
    return isinstance(fault, sqlite3.Error) and _primary_code(fault) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def is_of_the_moment(fault: sqlite3.Error) -> bool:
    """Whether it is about who may do what just now, or about the disk, and not about what lies on it."""
    return _primary_code(fault) in {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
    }


def store_error(fault: sqlite3.Error | OSError, path: Path) -> StoreError:
    if isinstance(fault, OSError):
        full = fault.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
        return _full(path) if full else _unwritable(path, fault.strerror or str(fault))
    match _primary_code(fault):
        case sqlite3.SQLITE_FULL:
            return _full(path)
        case sqlite3.SQLITE_IOERR if _is_full(path):
            # Not every way in which a disk refuses to take more is known to SQLite for what it is.
            return _full(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return _unwritable(path, str(fault))
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreError(f"Another process keeps {path} busy: try again in a moment.")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return StoreDamaged(f"{path} is damaged: run `teamwright store recover` to bring back what can be read.")
        case _:
            return StoreError(f"{path} could not be used ({fault}): check the disk's free space and health, try again.")


def store_closed() -> StoreError:
    return StoreError("The history is closed because Teamwright is shutting down: start it again.")


def _full(path: Path) -> StoreError:
    return StoreError(f"The disk that holds {path} is full: free some space and try again.")


def _unwritable(path: Path, reason: str) -> StoreError:
    return StoreError(
        f"{path} cannot be written ({reason}): make it writable, or set TEAMWRIGHT_STATE_DIR to another place."
    )


def _primary_code(fault: sqlite3.Error) -> int:
    # Errors of the Python module itself, such as a text that does not fit, come without a code.
    return getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE
