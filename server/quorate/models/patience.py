"""How long an answer may still be waited for, and what to say when it was too long."""

import asyncio
from types import TracebackType
from typing import Final

from quorate.models.errors import ModelError
from quorate.models.faults import Target
from quorate.models.port import Deadlines

# After the answer's end the rest of the stream is still read, so that the connection can serve the next request.
LINGER_SECONDS: Final = 2.0


class Patience:
    """A context around every wait of one answer. Raises ModelError when the wait takes too long.

    It is `asyncio.timeout` with one timer for the whole answer, which looks at the clock when it rings: a timer for
    each chunk would cost as much as reading the chunk.
    """

    def __init__(self, deadlines: Deadlines, target: Target) -> None:
        self._deadlines = deadlines
        self._target = target
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._whole_ends_at = now + deadlines.whole
        self._ends_at = min(now + deadlines.first_byte, self._whole_ends_at)
        self._begun = False
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: asyncio.Task[object] | None = None
        self._cancellations = 0
        self._rang = False

    def renew(self, *, answered: bool) -> None:
        """After every sign of life."""
        self._begun = True
        patience = LINGER_SECONDS if answered else self._deadlines.idle
        self._ends_at = min(self._loop.time() + patience, self._whole_ends_at)
        if self._timer is not None and self._timer.when() > self._ends_at:
            self.stop()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def __enter__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("an answer can only be read in a task")
        self._waiting = task
        self._cancellations = task.cancelling()
        if self._timer is None:
            self._timer = self._loop.call_at(self._ends_at, self._ring)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        task, self._waiting = self._waiting, None
        if self._rang and task is not None:
            self._rang = False
            # Someone else may have cancelled the task too, and then it is cancelled.
            if task.uncancel() <= self._cancellations and kind is asyncio.CancelledError:
                raise self._lost() from None

    def _ring(self) -> None:
        self._timer = None
        if self._waiting is None:
            return
        if self._loop.time() < self._ends_at:
            self._timer = self._loop.call_at(self._ends_at, self._ring)
        else:
            self._rang = True
            self._waiting.cancel()

    def _lost(self) -> ModelError:
        who, limits = self._target.provider, self._deadlines
        if self._ends_at >= self._whole_ends_at:
            return ModelError("timeout", f"{who} took too long to answer: ask for less, or raise timeout_seconds.")
        if self._begun:
            return ModelError("stalled", f"{who} fell silent in mid-answer for {limits.idle:g} s: try again.")
        message = f"{who} did not begin to answer within {limits.first_byte:g} s: try again, or choose another model."
        return ModelError("timeout", message)
