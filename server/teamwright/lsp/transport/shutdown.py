"""The one way out, whoever wants it: the client, a signal, or the end of the process that started us.

From the first word on there are five seconds. What was not done by then is left, and no child with it.
"""

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final

LIMIT_SECONDS: Final = 4.5

_SIGNALS: Final = [
    number
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")
    if (number := getattr(signal, name, None)) is not None
]


class Shutdown:
    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._wanted = asyncio.Event()
        # By `shutdown`. Without it, LSP calls `exit` an error.
        self.is_announced = False
        # The client has closed our input: an editor that is quit, not one that breaks the protocol.
        self._input_has_ended = False

    @property
    def exit_code(self) -> int:
        return 0 if self.is_announced or self._input_has_ended else 1

    def want(self) -> None:
        """From any thread."""
        with suppress(RuntimeError):  # The loop is closed: we have left.
            self._loop.call_soon_threadsafe(self._wanted.set)

    def note_end_of_input(self) -> None:
        self._input_has_ended = True

    async def is_wanted(self) -> None:
        await self._wanted.wait()

    def heed_signals(self) -> None:
        for number in _SIGNALS:
            try:
                self._loop.add_signal_handler(number, self._wanted.set)
            except NotImplementedError:
                signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self.want()

    def start_clock(self) -> None:
        """A process that is still here when it has run out is ended as it is."""
        clock = threading.Timer(LIMIT_SECONDS, self._end)
        clock.daemon = True
        clock.start()

    def _end(self) -> None:
        _end_children()
        os._exit(self.exit_code)


def watch_parent(process_id: object, is_gone: Callable[[], None]) -> None:
    """The process that started us: when it ends we leave, even if somebody else holds our pipes open.

    `is_gone` is called from another thread. A process that is not on this machine is not watched.
    """
    if not isinstance(process_id, int) or isinstance(process_id, bool) or process_id <= 0:
        return

    def watch() -> None:
        with suppress(OSError):
            _wait_for_end(process_id)
            is_gone()

    threading.Thread(target=watch, name="parent", daemon=True).start()


if sys.platform == "win32":
    import ctypes

    def _wait_for_end(process_id: int) -> None:
        synchronize, forever = 0x00100000, 0xFFFFFFFF
        handle = ctypes.windll.kernel32.OpenProcess(synchronize, False, process_id)
        if not handle:
            raise ProcessLookupError(process_id)
        ctypes.windll.kernel32.WaitForSingleObject(handle, forever)

elif sys.platform == "linux":

    def _wait_for_end(process_id: int) -> None:
        descriptor = os.pidfd_open(process_id)
        try:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            poll.poll()
        finally:
            os.close(descriptor)

else:

    def _wait_for_end(process_id: int) -> None:
        ended = select.kevent(
            process_id, select.KQ_FILTER_PROC, select.KQ_EV_ADD | select.KQ_EV_ONESHOT, select.KQ_NOTE_EXIT
        )
        queue = select.kqueue()
        try:
            queue.control([ended], 1)
        finally:
            queue.close()


def _end_children() -> None:
    """The processes that this one has started, and all that those have started: the last resort, when there is no time
    left to end them in good order."""
    if os.name != "posix":
        return
    for child in _children(os.getpid()):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(child, signal.SIGKILL)


def _children(parent: int) -> Iterator[int]:
    """Those below first. Empty where there is no /proc to ask."""
    for task in Path("/proc", str(parent), "task").glob("*"):
        with suppress(OSError):
            for child in (task / "children").read_text(encoding="ascii").split():
                yield from _children(int(child))
                yield int(child)
