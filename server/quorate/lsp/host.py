"""Standard input and output as LSP frames. A thread of its own reads, so that the event loop never waits for it."""

import asyncio
import json
import sys
import threading
from collections.abc import Callable
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
    """Hands every message to `receive` on the event loop, and None once at the end of the input."""

    def __init__(self) -> None:
        self._stdin = sys.stdin.buffer
        self._stdout = sys.stdout.buffer
        self._lock = threading.Lock()

    def start(self, loop: asyncio.AbstractEventLoop, receive: Callable[[Message | None], None]) -> None:
        threading.Thread(target=self._read, args=(loop, receive), name="stdin", daemon=True).start()

    def write(self, data: bytes) -> None:
        with self._lock:
            self._stdout.write(data)
            self._stdout.flush()

    def close(self) -> None:
        """pygls' writer is asked to close; the process's stdout stays open until the process ends."""

    def _read(self, loop: asyncio.AbstractEventLoop, receive: Callable[[Message | None], None]) -> None:
        try:
            while (body := read_frame(self._stdin)) is not None:
                loop.call_soon_threadsafe(receive, json.loads(body))
        except (FrameError, ValueError) as fault:
            sys.stderr.write(f"quorate: the client's input cannot be read ({fault}); the server stops.\n")
        loop.call_soon_threadsafe(receive, None)
