"""Where the user's messages come from: a person who edits a line, or whatever is piped in."""

import asyncio
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

from anyio import to_thread

from quorate.cli import output
from quorate.cli.terminal.keyboard import Keyboard
from quorate.cli.terminal.scribe import Scribe
from quorate.cli.terminal.talk import Line, Talk

try:
    import readline
except ImportError:
    # Windows: its console edits lines and remembers them by itself.
    readline = None

PROMPT: Final = "> "
_LONGEST_HISTORY: Final = 1000


class MessageLines(Protocol):
    async def next_line(self) -> str | None:
        """None when there is nothing more to come."""
        ...

    def redraw(self, remark: str) -> None:
        """Says something while the person is at the prompt, and leaves what they have typed."""
        ...


class EditedLines:
    """At a prompt, with the keys that people know from their shell; earlier lines come back by the arrow keys."""

    def __init__(self, keyboard: Keyboard, scribe: Scribe, talk: Talk) -> None:
        self._keyboard = keyboard
        self._scribe = scribe
        self._talk = talk

    async def next_line(self) -> str | None:
        await self._scribe.settle()
        # What was typed ahead is meant for us: here only messages are taken.
        self._keyboard.listen(forget=False)
        try:
            if output.stdout_terminal() is not None:
                return await _in_thread(_input)
            # Nothing can be edited where the line is not to be seen.
            self._talk.prompt(PROMPT)
            return await self._keyboard.line()
        finally:
            self._keyboard.ignore(forget=False)

    def redraw(self, remark: str) -> None:
        typed = readline.get_line_buffer() if readline is not None else ""
        self._talk.tell(Line(""), Line(remark, "faint"))
        self._talk.prompt(PROMPT + typed)


class PipedLines:
    def __init__(self) -> None:
        # A reader of our own: at exit the interpreter waits for the lock of `sys.stdin`, which a blocked read holds.
        self._stdin = open(sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115

    async def next_line(self) -> str | None:
        line = await to_thread.run_sync(self._stdin.readline, abandon_on_cancel=True)
        return line.rstrip("\r\n") if line else None

    def redraw(self, remark: str) -> None:
        """Nobody is at a prompt."""


@contextmanager
def remembered(path: Path) -> Generator[None]:
    """The lines of earlier conversations, and this one's for later. A history that cannot be kept is no fault."""
    if readline is None:
        yield
        return
    readline.set_history_length(_LONGEST_HISTORY)
    with suppress(OSError):
        readline.read_history_file(path)
    try:
        yield
    finally:
        with suppress(OSError):
            readline.write_history_file(path)


def _input() -> str | None:
    try:
        return input(PROMPT)
    except EOFError:
        return None


async def _in_thread(read: Callable[[], str | None]) -> str | None:
    """In a thread that nobody waits for: a person may leave without ending the line."""
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str | None] = loop.create_future()

    def deliver(typed: str | None) -> None:
        if not line.done():
            line.set_result(typed)

    def work() -> None:
        typed = read()
        # The conversation may be over, and its loop closed.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(deliver, typed)

    threading.Thread(target=work, name="prompt", daemon=True).start()
    return await line
