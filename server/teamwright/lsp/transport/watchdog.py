"""Says in the log when the event loop stood still, and where: what holds it up holds up every client and every agent.

A thread asks the loop for a sign of life. It is the one thing here that looks at a clock again and again, since a loop
that stands still can report nothing itself; asking once in so many seconds costs no measurable work.
"""

import asyncio
import logging
import sys
import threading
import time
import traceback
from typing import Final

log = logging.getLogger(__name__)

_EVERY_SECONDS: Final = 5.0
STILL_SECONDS: Final = 2.0
_MOST_PLACES: Final = 10


class Watchdog:
    """Of the loop and the thread that it is made in."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._watched = threading.get_ident()
        self._is_over = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        self._is_over.set()

    def _watch(self) -> None:
        while not self._is_over.wait(_EVERY_SECONDS):
            sign = threading.Event()
            asked = time.monotonic()
            try:
                self._loop.call_soon_threadsafe(sign.set)
            except RuntimeError:  # The loop is closed: we have left.
                return
            if not sign.wait(STILL_SECONDS):
                self._report(sign)
                log.error("The event loop stood still for %.1f s", time.monotonic() - asked)

    def _report(self, sign: threading.Event) -> None:
        """Until it goes on: wherever it stands still meanwhile."""
        told = ""
        for _ in range(_MOST_PLACES):
            if (where := self._where()) != told:
                log.error("The event loop stands still in:\n%s", where)
                told = where
            if sign.wait(STILL_SECONDS):
                return
        sign.wait()

    def _where(self) -> str:
        # The interpreter's own way to look at another thread.
        frame = sys._current_frames().get(self._watched)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return "".join(traceback.format_stack(frame)) if frame is not None else "a thread that has ended"
