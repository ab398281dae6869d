"""Standard input and output as LSP frames. A thread of its own reads, so that the event loop never waits for it."""

import asyncio
import json
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from typing import Any, BinaryIO

Message = dict[str, Any]

MAX_HEADER_BYTES = 8 * 1024
MAX_BODY_BYTES = 64 * 1024 * 1024


class FrameError(ValueError):
    """The stream is no longer in step with its frames; nothing after this point can be trusted."""


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next message's body, or None at the end of the input."""
    length: int | None = None
    read = 0
    while True:
        line = stream.readline(MAX_HEADER_BYTES)
        read += len(line)
        if not line:
            return None
        if read >= MAX_HEADER_BYTES:
            raise FrameError("the header is too long")
        name, _, value = line.strip().partition(b":")
        if not name:
            break
        if name.lower() == b"content-length":
            length = _content_length(value)
    if length is None:
        raise FrameError("a header without Content-Length")
    body = stream.read(length)
    return body if len(body) == length else None


def _content_length(value: bytes) -> int:
    digits = value.strip()
    if not digits.isdigit() or int(digits) > MAX_BODY_BYTES:
        raise FrameError("Content-Length is not a size we accept")
    return int(digits)


class StdioHost:
    def __init__(self) -> None:
        # A reader of our own: at exit the interpreter waits for the lock of `sys.stdin`, which a blocked read holds.
        self._stdin = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115 - as long as the process
        self._stdout = sys.stdout.buffer
        self._lock = threading.Lock()

    async def messages(self) -> AsyncGenerator[Message]:
        """What the client sends, until the end of the input."""
        loop = asyncio.get_running_loop()
        inbox: asyncio.Queue[Message | None] = asyncio.Queue()

        def deliver(message: Message | None) -> None:
            loop.call_soon_threadsafe(inbox.put_nowait, message)

        threading.Thread(target=self._read, args=(deliver,), name="stdin", daemon=True).start()
        while (message := await inbox.get()) is not None:
            yield message

    def write(self, data: bytes) -> None:
        with self._lock:
            self._stdout.write(data)
            self._stdout.flush()

    def close(self) -> None:
        """pygls asks its writer to close; stdout stays open until the process ends."""

    def _read(self, deliver: Callable[[Message | None], None]) -> None:
        try:
            while (body := read_frame(self._stdin)) is not None:
                deliver(json.loads(body))
        except (FrameError, ValueError) as fault:
            sys.stderr.write(f"quorate: the client's input cannot be read ({fault}); the server stops.\n")
        deliver(None)
