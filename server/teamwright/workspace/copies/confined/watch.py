"""One command, from its start to the end of all that it has started: its output is passed on, its limits are kept."""

import fcntl
import json
import os
import resource
import selectors
import signal
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from teamwright.workspace.copies.confined.control_groups import ControlGroups
from teamwright.workspace.copies.confined.plan import CommandReport, Ending, LimitsPlan
from teamwright.workspace.copies.confined.system_calls import end_with_parent

_TICK_SECONDS: Final = 0.05
# For what is still in the pipe when the command has ended.
_DRAIN_SECONDS: Final = 2.0
_COSTLY_SECONDS: Final = 1.0
_CHUNK: Final = 1 << 18
_F_SETPIPE_SZ: Final = 1031
_NEVER_STARTED: Final = 127
# The kernel's limit is for what is faster than we look.
_NO_MORE_THAN: Final = 4


class Measured(Protocol):
    @property
    def is_costly_to_measure(self) -> bool: ...

    def used_bytes(self) -> int: ...


class CommandWatch:
    def __init__(
        self, limits: LimitsPlan, tree: Measured, groups: ControlGroups, pass_on: Callable[[bytes], None]
    ) -> None:
        self._limits = limits
        self._tree = tree
        self._groups = groups
        self._output = _BoundedOutput(limits["output"], limits["tail"], pass_on)
        # The first process of the box: all others end with it.
        self._first: int | None = None
        self._info = b""
        self._how: Ending | None = None
        self._measured_at = 0.0

    def run(self, argv: Callable[[int], list[str]]) -> CommandReport:
        """`argv` is told the descriptor on which the box says what its first process is."""
        begun = time.monotonic()
        started = _start(argv, self._groups, self._limits["processes"])
        with selectors.DefaultSelector() as selector:
            selector.register(started.output, selectors.EVENT_READ)
            selector.register(started.info, selectors.EVENT_READ)
            code = os.waitstatus_to_exitcode(self._follow(selector, started, begun))
        self._output.finish()
        how = self._how or self._groups.reached() or self._last_look(code)
        seconds = time.monotonic() - begun
        return CommandReport(how=how, code=code, seconds=seconds, left_out=self._output.left_out, changes=[])

    def _follow(self, selector: selectors.BaseSelector, started: "_Started", begun: float) -> int:
        status, until = None, begun + self._limits["seconds"]
        while selector.get_map():
            readable = selector.select(_TICK_SECONDS)
            for key, _ in readable:
                self._receive(selector, key.fd, is_output=key.fd == started.output)
            if status is not None:
                # On a busy machine we may come late to what was said in time.
                if not readable and time.monotonic() > until:
                    break
                continue
            ended, found = os.waitpid(started.pid, os.WNOHANG)
            if ended:
                status, until = found, time.monotonic() + _DRAIN_SECONDS
                self._kill()
                _kill_group(started.pid)
            elif self._how is None and (how := self._excess(until)) is not None:
                self._how = how
                self._kill(started.pid)
                _kill_group(started.pid)
        return os.waitpid(started.pid, 0)[1] if status is None else status

    def _receive(self, selector: selectors.BaseSelector, pipe: int, *, is_output: bool) -> None:
        data = os.read(pipe, _CHUNK)
        if not data:
            selector.unregister(pipe)
            os.close(pipe)
        elif is_output:
            self._output.add(data)
        else:
            # It comes in pieces.
            self._info += data
            with suppress(ValueError):
                self._first = json.loads(self._info)["child-pid"]

    def _excess(self, until: float) -> Ending | None:
        now = time.monotonic()
        if now > until:
            return "timed_out"
        if (reached := self._groups.reached()) is not None:
            return reached
        if not self._tree.is_costly_to_measure or now - self._measured_at > _COSTLY_SECONDS:
            self._measured_at = now
            if self._tree.used_bytes() >= self._limits["disk"]:
                return "disk_full"
        return None if self._first is None else _excess_of(f"/proc/{self._first}/root/proc", self._limits)

    def _last_look(self, code: int) -> Ending:
        """It may have failed on a full disk faster than we looked."""
        if code != 0 and self._tree.used_bytes() >= self._limits["disk"]:
            return "disk_full"
        return "killed" if code < 0 else "exited"

    def _kill(self, pid: int | None = None) -> None:
        for each in (self._first, pid):
            if each is not None:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(each, signal.SIGKILL)


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class _Started:
    pid: int
    output: int
    info: int


def _start(argv: Callable[[int], list[str]], groups: ControlGroups, processes: int) -> _Started:
    output, output_inside = os.pipe()
    with suppress(OSError):
        fcntl.fcntl(output, _F_SETPIPE_SZ, _CHUNK)
    info, info_inside = os.pipe()
    words = argv(info_inside)
    pid = os.fork()
    if pid == 0:
        try:
            end_with_parent()
            # Whoever is not in a box of its own is ended by its group.
            os.setsid()
            groups.join()
            _limit(resource.RLIMIT_CORE, 0)
            # Without users of our own it would count all that the user runs. Root it does not bind: there are groups.
            if os.geteuid() == 0:
                _limit(resource.RLIMIT_NPROC, _NO_MORE_THAN * processes)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(output_inside, 1)
            os.dup2(output_inside, 2)
            os.set_inheritable(info_inside, True)
            os.execv(words[0], words)  # noqa: S606 - without a shell is how it is meant
        finally:
            os._exit(_NEVER_STARTED)
    os.close(output_inside)
    os.close(info_inside)
    return _Started(pid, output, info)


def _limit(which: int, value: int) -> None:
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(which)
        allowed = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(which, (allowed, allowed))


class _BoundedOutput:
    """The beginning as it comes; of what is too much, only the end."""

    def __init__(self, room: int, tail: int, pass_on: Callable[[bytes], None]) -> None:
        self._room = room
        self._tail_limit = tail
        self._pass_on = pass_on
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self.left_out = 0

    def add(self, data: bytes) -> None:
        if self._room > 0:
            self._pass_on(data[: self._room])
            data, self._room = data[self._room :], self._room - len(data[: self._room])
        if not data:
            return
        self._tail.append(data)
        self._tail_bytes += len(data)
        while self._tail_bytes - len(self._tail[0]) >= self._tail_limit:
            dropped = self._tail.popleft()
            self._tail_bytes -= len(dropped)
            self.left_out += len(dropped)

    def finish(self) -> None:
        if self.left_out:
            self._pass_on(f"\n[… {self.left_out} bytes left out …]\n".encode())
        for data in self._tail:
            self._pass_on(data)


def _excess_of(proc: str, limits: LimitsPlan) -> Ending | None:
    """By what the box's own /proc lists: all of its processes, and no other."""
    try:
        # Before the box is closed its first process still sees the machine's /proc, in which we are, too.
        if os.path.lexists(f"{proc}/self/stat"):
            return None
        pids = [name for name in os.listdir(proc) if name.isdigit()]
    except OSError:
        return None
    if len(pids) > limits["processes"]:
        return "too_many_processes"
    page = os.sysconf("SC_PAGE_SIZE")
    if sum(_own_pages(f"{proc}/{pid}/statm") for pid in pids) * page <= limits["memory"]:
        return None
    # Children share what their parents had; only this counts it once.
    shares = sum(_share(f"{proc}/{pid}/smaps_rollup") for pid in pids)
    return "out_of_memory" if shares > limits["memory"] else None


def _own_pages(path: str) -> int:
    with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
        _, resident, shared, *_ = map(int, file.read().split())
        return max(0, resident - shared)
    return 0


def _share(path: str) -> int:
    with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("Pss_Anon:"):
                return int(line.split()[1]) * 1024
    return 0
