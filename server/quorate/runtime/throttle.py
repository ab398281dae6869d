"""Something worth saying, but not too often: at once, then at most once an interval, and the last word always."""

import asyncio
from collections.abc import Callable


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
