"""Standard input and output, claimed for the wire alone, and the two threads that read and write them.

What anything else in the process prints, or a child inherits, goes to stderr; what it reads is empty. Stderr is a pipe
of our own (`error_output.py`): an editor that does not read it holds up nobody.
"""

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Self

from teamwright.lsp.transport.frames import BadFrame, FrameParser
from teamwright.lsp.transport.messages import PARSE_ERROR, Failure, Malformed, Message, read_messages
from teamwright.lsp.transport.outbox import Outbox

# Read and not yet looked at. Whoever sends more waits in the pipe.
MAX_WAITING: Final = 1_000


@dataclass(frozen=True, slots=True)
class Stdio:
    """File descriptors that nobody else knows, read and written without buffers: no lock is held at the exit."""

    input: int
    output: int

    @classmethod
    def claim(cls) -> Self:
        stdio = cls(os.dup(0), os.dup(1))
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2 if _is_open(2) else nothing, 1)
        os.close(nothing)
        if sys.platform != "win32":
            # An editor may have left them non-blocking; our threads want to wait.
            os.set_blocking(stdio.input, True)
            os.set_blocking(stdio.output, True)
        return stdio

    def write(self, data: bytes) -> None:
        """Waits until the client has taken it all. Raises OSError when there is no client any more."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self.output, rest) :]

    def read(self) -> bytes:
        """What is there, at least a byte; nothing at the end of the input."""
        with suppress(OSError):
            return os.read(self.input, 64 * 1024)
        return b""


class ReaderThread:
    """The client's messages, in the order in which it sent them."""

    def __init__(self, stdio: Stdio, wait_for_room: Callable[[], None], at_end: Callable[[], None]) -> None:
        """`at_end` is called when all that was sent has been read and there is no more to come."""
        self._stdio = stdio
        self._wait_for_room = wait_for_room
        self._at_end = at_end
        self._loop = asyncio.get_running_loop()
        self._inbox: asyncio.Queue[Message | None] = asyncio.Queue()
        self._put_back: deque[Message] = deque()
        self._places = threading.Semaphore(MAX_WAITING)

    def start(self) -> None:
        threading.Thread(target=self._read, name="reader", daemon=True).start()

    async def next(self) -> Message | None:
        """None at the end of the input."""
        if self._put_back:
            return self._put_back.popleft()
        message = await self._inbox.get()
        self._places.release()
        if message is None:
            self._at_end()
        return message

    def put_back(self, messages: Iterable[Message]) -> None:
        """They come again, before all others."""
        self._put_back.extendleft(reversed(list(messages)))

    def _read(self) -> None:
        parser = FrameParser()
        try:
            while data := self._stdio.read():
                for frame in parser.feed(data):
                    for message in _messages(frame):
                        # A client that does not take our answers is not asked for more questions.
                        self._wait_for_room()
                        self._deliver(message)
        finally:
            self._deliver(None)

    def _deliver(self, message: Message | None) -> None:
        self._places.acquire()
        with suppress(RuntimeError):  # The loop is closed: nobody reads any more.
            self._loop.call_soon_threadsafe(self._inbox.put_nowait, message)


class FrameWriterThread:
    """Messages to the client. Nobody else waits for a client that does not read."""

    def __init__(self, stdio: Stdio, outbox: Outbox, *, client_is_gone: Callable[[], None]) -> None:
        self._stdio = stdio
        self._outbox = outbox
        self._client_is_gone = client_is_gone
        self._thread = threading.Thread(target=self._write, name="writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def finish(self, deadline: float) -> None:
        """Writes what is left. A client that does not take it within so many seconds goes without."""
        self._outbox.close()
        self._thread.join(deadline)

    def _write(self) -> None:
        try:
            with suppress(OSError):
                while bodies := self._outbox.take():
                    self._stdio.write(b"".join(_framed(body) for body in bodies))
        finally:
            self._outbox.close()
            self._client_is_gone()


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _messages(frame: bytes | BadFrame) -> list[Message]:
    if isinstance(frame, BadFrame):
        return [Malformed(None, Failure(PARSE_ERROR, frame.reason))]
    return list(read_messages(frame))


def _framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
