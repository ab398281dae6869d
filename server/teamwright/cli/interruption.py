"""Ctrl-C from the first moment on: whatever it breaks off, also the loading of a library, ends without a complaint."""

import signal
from types import FrameType, TracebackType
from typing import Any, Final, Self

INTERRUPTED: Final = 130


class Interruptible:
    """A context manager. Where nobody else takes the signal, it ends what is done in it, and `was_interrupted` is set.

    A native library that is interrupted while it loads may raise anything: all of it means the same.
    """

    was_interrupted = False
    _before: Any = None

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        signal.signal(signal.SIGINT, self._before)
        return self.was_interrupted

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self.was_interrupted = True
        raise KeyboardInterrupt
