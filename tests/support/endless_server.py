"""A server on loopback that answers each request with a head and then with one piece, again and again, without end."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.support.patience import PATIENCE_SECONDS

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
MOST_BYTES = 400_000_000
"""Whoever takes more than that has no bound, and the test has waited long enough."""


@dataclass
class EndlessServer:
    """`sent` counts the bytes of all answers; `left` is set when a client has hung up in the middle of one."""

    port: int
    sent: int = 0
    requests: int = 0
    left: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def openai_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def until_left(self) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self.left.wait()


@asynccontextmanager
async def endless(head: bytes, first: bytes, piece: Callable[[int], bytes]) -> AsyncGenerator[EndlessServer]:
    """After the head and `first` come the pieces, by their number."""
    conversations: set[asyncio.Task[None]] = set()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            header = await reader.readuntil(b"\r\n\r\n")
            length = next(
                (int(line[15:]) for line in header.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
            )
            await reader.readexactly(length)
            endless_server.requests += 1
            writer.write(head + first)
            number = 0
            while endless_server.sent < MOST_BYTES:
                data = piece(number)
                number += 1
                writer.write(data)
                endless_server.sent += len(data)
                await writer.drain()
        endless_server.left.set()
        writer.close()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(converse(reader, writer))
        conversations.add(task)
        task.add_done_callback(conversations.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    endless_server = EndlessServer(server.sockets[0].getsockname()[1])
    try:
        yield endless_server
    finally:
        server.close()
        for task in tuple(conversations):
            task.cancel()
