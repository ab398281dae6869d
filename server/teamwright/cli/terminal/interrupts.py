"""Signals of the person or the system, brought to the event loop. The second Ctrl-C is the last we handle."""

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

# Asked to end by the system; SIGHUP is the terminal being closed, which Windows does not have.
_ENDING: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def interrupts(interrupted: Callable[[], None], ended: Callable[[int], None]) -> Generator[None]:
    """Calls `interrupted()` on the first Ctrl-C and `ended(signal)` on the second, or when the process is to end.

    After that the signals do what they do to any program, so that nothing of ours can keep it alive.
    """
    loop = asyncio.get_running_loop()
    before: dict[int, Any] = {number: signal.getsignal(number) for number in (signal.SIGINT, *_ENDING)}

    def first(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, last)
        loop.call_soon_threadsafe(interrupted)

    def last(number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for each in _ENDING:
            signal.signal(each, signal.SIG_DFL)
        loop.call_soon_threadsafe(ended, number)

    signal.signal(signal.SIGINT, first)
    for number in _ENDING:
        signal.signal(number, last)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
