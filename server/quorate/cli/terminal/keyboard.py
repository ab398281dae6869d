"""What a person types, line by line, and read only while somebody wants a line."""

import asyncio
import os
import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

try:
    import termios
except ImportError:
    # Windows: a console echoes and keeps what is typed only while it is read, which is what we make of a terminal here.
    termios = None

_LOCAL_MODES: Final = 3


def someone_can_type() -> bool:
    """Whether stdin is a terminal, and ours to read: a job in the background would be stopped for trying."""
    stdin = sys.stdin
    if stdin is None or not stdin.isatty():
        return False
    return termios is None or os.tcgetpgrp(stdin.fileno()) == os.getpgrp()


class Keyboard:
    """A context manager: while it is open, what is typed unasked is neither shown nor taken for an answer."""

    def __init__(self) -> None:
        self._fd = sys.stdin.fileno()
        # A reader of our own: at exit the interpreter waits for the lock of `sys.stdin`, which a blocked read holds.
        self._stdin = open(self._fd, encoding=sys.stdin.encoding, errors="replace", closefd=False)  # noqa: SIM115
        self._modes: list[Any] | None = None
        self._waiting: asyncio.Future[str | None] | None = None
        self._is_reading = False

    def __enter__(self) -> Self:
        if termios is not None:
            self._modes = termios.tcgetattr(self._fd)
        self._echo(on=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._modes is not None:
            self._set(self._modes, forget=False)

    def listen(self, *, forget: bool = True) -> None:
        """From here on what is typed is shown and counts; what was typed before is forgotten, or counts too."""
        self._echo(on=True, forget=forget)

    def ignore(self, *, forget: bool = True) -> None:
        self._echo(on=False, forget=forget)

    async def line(self) -> str | None:
        """The next line, without its end; None when there is nothing more to come."""
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()
        if termios is not None:
            # A terminal has something to read when a line is complete: nothing is begun that could not be given up.
            loop.add_reader(self._fd, self._read)
        elif not self._is_reading:
            self._is_reading = True
            self._start_reading(loop)
        try:
            return await self._waiting
        finally:
            self._waiting = None
            if termios is not None:
                loop.remove_reader(self._fd)

    def _read(self) -> None:
        try:
            typed = self._stdin.readline()
        except OSError:
            typed = ""
        self._deliver(typed)

    def _start_reading(self, loop: asyncio.AbstractEventLoop) -> None:
        def read() -> None:
            try:
                typed = self._stdin.readline()
            except OSError:
                typed = ""
            # The run may be over, and its loop closed, before anything is typed.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._deliver, typed)

        threading.Thread(target=read, name="keyboard", daemon=True).start()

    def _deliver(self, typed: str) -> None:
        self._is_reading = False
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(typed.rstrip("\r\n") if typed else None)

    def _echo(self, *, on: bool, forget: bool = True) -> None:
        if termios is not None and self._modes is not None:
            modes = [*self._modes]
            modes[_LOCAL_MODES] = modes[_LOCAL_MODES] | termios.ECHO if on else modes[_LOCAL_MODES] & ~termios.ECHO
            self._set(modes, forget=forget)

    def _set(self, modes: list[Any], *, forget: bool) -> None:
        """`forget` what was typed so far; at the end it is kept, for the shell. A closed terminal has no modes."""
        if termios is not None:
            with suppress(termios.error):
                termios.tcsetattr(self._fd, termios.TCSANOW, modes)
                if forget:
                    termios.tcflush(self._fd, termios.TCIFLUSH)
