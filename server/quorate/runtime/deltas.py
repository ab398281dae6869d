"""Streamed text, thinned out: the first piece goes at once, then at most one each 30 ms, the rest before the end."""

from collections.abc import Callable

from quorate.runtime.throttle import Throttle

INTERVAL_SECONDS = 0.030

Emit = Callable[[int, str], None]


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
