"""What a check prints while it runs, thinned out: a few times a second, and of a flood the end."""

from collections.abc import Callable
from typing import Final

from teamwright.runtime.throttle import Throttle

_INTERVAL_SECONDS: Final = 0.25
_MOST_AT_ONCE: Final = 4_000


class LiveOutput:
    def __init__(self, emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._pending = ""
        self._throttle = Throttle(_INTERVAL_SECONDS, self._flush)

    def feed(self, text: str) -> None:
        self._pending = (self._pending + text)[-_MOST_AT_ONCE:]
        self._throttle.nudge()

    def close(self) -> None:
        """With what is left to say."""
        self._throttle.settle()

    def _flush(self) -> None:
        text, self._pending = self._pending, ""
        self._emit(text)
