"""The client's messages, in the order in which it sent them. A thread of its own reads them."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from quorate.lsp.transport.frames import BadFrame, FrameParser
from quorate.lsp.transport.messages import PARSE_ERROR, Failure, Malformed, Message, read_messages
from quorate.lsp.transport.stdio import Stdio

# Read and not yet looked at. Whoever sends more waits in the pipe.
MAX_WAITING: Final = 1_000


class Reader:
    def __init__(self, stdio: Stdio, wait_for_room: Callable[[], None]) -> None:
        self._stdio = stdio
        self._wait_for_room = wait_for_room
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


def _messages(frame: bytes | BadFrame) -> list[Message]:
    if isinstance(frame, BadFrame):
        return [Malformed(None, Failure(PARSE_ERROR, frame.reason))]
    return list(read_messages(frame))
