"""The one way out, whoever wants it: the client, a signal, or the end of the process that started us.

From the first word on there are five seconds. What was not done by then is left, and no child with it.
"""

import asyncio
import os
import signal
import threading
from contextlib import suppress
from types import FrameType
from typing import Final

from quorate.lsp.transport.children import end_children

LIMIT_SECONDS: Final = 4.5

_SIGNALS: Final = [
    number
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")
    if (number := getattr(signal, name, None)) is not None
]


class Leaving:
    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._wanted = asyncio.Event()
        # By `shutdown`. Without it, LSP calls leaving an error.
        self.is_announced = False

    @property
    def exit_code(self) -> int:
        return 0 if self.is_announced else 1

    def want(self) -> None:
        """From any thread."""
        with suppress(RuntimeError):  # The loop is closed: we have left.
            self._loop.call_soon_threadsafe(self._wanted.set)

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
        end_children()
        os._exit(self.exit_code)
