"""Streamed text, thinned out: the first piece goes at once, then at most one each 30 ms, the rest before the end."""

import asyncio
from collections.abc import Callable

INTERVAL_SECONDS = 0.030

Emit = Callable[[int, str], None]


class DeltaStream:
    """`emit(offset, text)` gets each piece with its place in the whole text, in code points."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._whole: list[str] = []
        self._pending: list[str] = []
        self._offset = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def text(self) -> str:
        return "".join(self._whole)

    def feed(self, text: str) -> None:
        self._whole.append(text)
        self._pending.append(text)
        if self._timer is None:
            self._send()

    def finish(self) -> str:
        """Sends what is left and returns the whole text."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._flush()
        return self.text

    def _send(self) -> None:
        self._flush()
        self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._interval_over)

    def _interval_over(self) -> None:
        self._timer = None
        if self._pending:
            self._send()

    def _flush(self) -> None:
        if self._pending:
            text = "".join(self._pending)
            self._pending.clear()
            self._emit(self._offset, text)
            self._offset += len(text)
