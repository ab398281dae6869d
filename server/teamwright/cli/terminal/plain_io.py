"""Lines, where nothing can be redrawn: pipes, files, and terminals that only append."""

import asyncio
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

from teamwright.cli import output
from teamwright.cli.terminal.blocks import Block, as_lines
from teamwright.cli.terminal.printable import printable
from teamwright.cli.terminal.writer_thread import WriterThread

try:
    import termios
except ImportError:
    # Windows: a console keeps what is typed only while it is read.
    termios = None


class PlainIO:
    """Lines that are appended, in order; answers are read from standard input, line by line."""

    redraws = False

    def __init__(self, stream: TextIO | None, writer: WriterThread) -> None:
        self._stream = stream
        self._writer = writer
        self._lines = InputLines()

    def show(self, *blocks: Block, live: Sequence[Block] | None = None) -> None:  # noqa: ARG002
        self._write("".join(f"{line}\n" for line in as_lines(blocks)))

    def draw(self, blocks: Sequence[Block]) -> None:
        """Only what has happened is told."""

    def finished_length(self, markdown: str) -> int:
        return len(markdown)

    async def ask(self, prompt: str) -> str | None:
        await self.settle()
        self._lines.forget()
        return await self.prompted(f"{prompt} ")

    async def prompted(self, prompt: str) -> str | None:
        """Likewise, but what was typed before counts too."""
        self._write(prompt)
        typed = await self._lines.line()
        if typed is None and prompt:
            self._write("\n")
        return typed

    async def settle(self) -> None:
        await self._writer.settle()

    def close(self) -> None:
        pass

    def _write(self, text: str) -> None:
        shown = printable(text, self._stream)
        self._writer.post(lambda: output.write(self._stream, shown, end=""))


class InputLines:
    """Standard input, read only when somebody wants a line, in a thread that nobody waits for."""

    def __init__(self) -> None:
        self._stdin: TextIO | None = None
        self._waiting: asyncio.Future[str | None] | None = None
        self._is_reading = False

    async def line(self) -> str | None:
        """The next line, without its end; None when there is nothing more to come."""
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()
        # A wait that was given up has left its reader behind: what it reads is ours.
        if not self._is_reading:
            self._is_reading = True
            threading.Thread(target=self._read, args=(loop,), name="input", daemon=True).start()
        try:
            return await self._waiting
        finally:
            self._waiting = None

    def forget(self) -> None:
        """Nothing that was typed before a question could be seen is an answer to it."""
        if termios is not None:
            with suppress(OSError, ValueError, termios.error):
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            if self._stdin is None:
                # A reader of our own: at exit the interpreter waits for the lock of `sys.stdin`, which a blocked read
                # holds.
                encoding = sys.stdin.encoding if sys.stdin.isatty() else "utf-8"
                self._stdin = open(sys.stdin.fileno(), encoding=encoding, errors="replace", closefd=False)  # noqa: SIM115
            typed = self._stdin.readline()
        except (OSError, ValueError):
            typed = ""
        # The command may be over, and its loop closed, before anything is typed.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(self._deliver, typed)

    def _deliver(self, typed: str) -> None:
        self._is_reading = False
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(typed.rstrip("\r\n") if typed else None)
