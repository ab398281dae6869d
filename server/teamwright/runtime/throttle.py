"""Something worth saying, but not too often: at once, then at most once an interval, and the last word always.

Streamed text is thinned out the same way.
"""

import asyncio
from collections.abc import Callable

INTERVAL_SECONDS = 0.030
Emit = Callable[[int, str], None]


class Throttle:
    def __init__(self, interval: float, say: Callable[[], None]) -> None:
        self._interval = interval
        self._say = say
        self._is_due = False
        self._timer: asyncio.TimerHandle | None = None

    def nudge(self) -> None:
        """There is something new to say."""
        self._is_due = True
        if self._timer is None:
            self._speak()

    def settle(self) -> None:
        """Says what is still due, now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._is_due:
            self._is_due = False
            self._say()

    def _speak(self) -> None:
        self._is_due = False
        self._say()
        self._timer = asyncio.get_running_loop().call_later(self._interval, self._interval_over)

    def _interval_over(self) -> None:
        self._timer = None
        if self._is_due:
            self._speak()


class DeltaStream:
    """`emit(offset, text)` gets each piece with its place in the whole text, in code points."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._whole: list[str] = []
        self._pending: list[str] = []
        self._offset = 0
        self._throttle = Throttle(INTERVAL_SECONDS, self._flush)

    def feed(self, text: str) -> None:
        self._whole.append(text)
        self._pending.append(text)
        self._throttle.nudge()

    def finish(self) -> str:
        """Sends what is left and returns the whole text."""
        self._throttle.settle()
        return "".join(self._whole)

    def _flush(self) -> None:
        text = "".join(self._pending)
        self._pending.clear()
        self._emit(self._offset, text)
        self._offset += len(text)
