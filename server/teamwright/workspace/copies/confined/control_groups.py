"""Limits that the kernel keeps, where this process may make groups. Elsewhere watching is all there is."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from teamwright.workspace.copies.confined.plan import Ending, LimitsPlan

_MOUNTED: Final = "/sys/fs/cgroup"
_PREFIX: Final = "teamwright-"
_REMOVAL_SECONDS: Final = 2.0
_PAUSE_SECONDS: Final = 0.02
# The box itself needs a few.
_OWN_PROCESSES: Final = 8
_EVENTS: Final[tuple[tuple[str, str, Ending], ...]] = (
    ("pids.events", "max", "too_many_processes"),
    ("memory.oom_control", "oom_kill", "out_of_memory"),
    ("memory.events", "oom_kill", "out_of_memory"),
)


class ControlGroups:
    def __init__(self, limits: LimitsPlan) -> None:
        # What is written to a file system in memory counts as memory.
        memory, processes = limits["memory"] + limits["disk"], limits["processes"] + _OWN_PROCESSES
        wanted = {
            "pids": {"pids.max": processes},
            "memory": {"memory.limit_in_bytes": memory},
            "": {"pids.max": processes, "memory.max": memory},
        }
        self._paths = [
            path
            for controller, parent in _own_groups()
            if controller in wanted and (path := _made(parent, wanted[controller])) is not None
        ]

    def join(self) -> None:
        for path in self._paths:
            with suppress(OSError):
                _say(f"{path}/cgroup.procs", str(os.getpid()))

    def reached(self) -> Ending | None:
        """Which limit has stopped something."""
        for path in self._paths:
            for file, key, how in _EVENTS:
                if _count(f"{path}/{file}", key):
                    return how
        return None

    def remove(self) -> None:
        until = time.monotonic() + _REMOVAL_SECONDS
        for path in self._paths:
            while not _removed(path) and time.monotonic() < until:
                time.sleep(_PAUSE_SECONDS)


def _made(parent: str, values: dict[str, int]) -> str | None:
    path = f"{parent}/{_PREFIX}{os.getpid()}"
    _remove_left(parent)
    try:
        os.mkdir(path)
        for name, value in values.items():
            _say(f"{path}/{name}", str(value))
    except OSError:
        _removed(path)
        return None
    return path


def _remove_left(parent: str) -> None:
    """What processes that were killed have left behind."""
    with suppress(OSError):
        for name in os.listdir(parent):
            owner = name.removeprefix(_PREFIX)
            if name.startswith(_PREFIX) and owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
                _removed(f"{parent}/{name}")


def _removed(path: str) -> bool:
    try:
        os.rmdir(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _own_groups() -> Iterator[tuple[str, str]]:
    """The controller and the directory of each group that this process is in."""
    with suppress(OSError), open("/proc/self/cgroup", encoding="utf-8") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            for controller in controllers.split(","):
                group = (f"{_MOUNTED}/{controller}{path}" if controller else f"{_MOUNTED}{path}").rstrip("/")
                # Where both kinds are mounted, the second one lies elsewhere and controls nothing.
                if os.path.exists(f"{group}/cgroup.procs"):
                    yield controller, group


def _count(path: str, key: str) -> int:
    with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
        for line in file:
            name, _, value = line.partition(" ")
            if name == key:
                return int(value)
    return 0


def _say(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
