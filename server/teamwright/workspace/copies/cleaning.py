"""Where working copies lie on disk, and how they are removed: after their run, or by the next process after a crash.

Everything here blocks on the disk: call it in a worker thread.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from teamwright.workspace.copies.confined.layers import remove_tree

_COPIES: Final = "copies"


def own_copies(state_path: Path) -> Path:
    """Of this process. What lies there is never read by another one."""
    return state_path / _COPIES / str(os.getpid())


def remove_copies(directory: Path) -> None:
    """As far as it goes; the next start tries again. A link in the place of a directory is removed, not followed."""
    with suppress(OSError):
        remove_tree(str(directory))


def remove_left_copies(state_path: Path) -> None:
    """Those of processes that are gone."""
    try:
        found = sorted((state_path / _COPIES).iterdir())
    except OSError:
        return
    for directory in found:
        if not (directory.name.isdecimal() and _is_alive(int(directory.name))):
            remove_copies(directory)


def _is_alive(pid: int) -> bool:
    if os.name != "posix":
        return pid == os.getpid()
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
