"""Files and directories for the user's eyes only. Elsewhere than on POSIX the platform's own defaults hold."""

import os
from pathlib import Path

_ENFORCES_MODES = os.name == "posix"


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
