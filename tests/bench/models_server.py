"""A server that only replays: every request gets the same frames, prepared in advance, at a fixed pace.

It runs in a process of its own, so that the benchmark's CPU time is the client's alone.
"""

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from tests.support.model_server.formats import CHAT, MESSAGES
from tests.support.model_server.frames import encoded
from tests.support.model_server.replies import text
from tests.support.model_server.request import Request

Wire = Literal["chat", "messages"]

_FORMATS: Final = {"chat": CHAT, "messages": MESSAGES}
_HEAD: Final = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


@contextmanager
def replaying(wire: Wire, *, chunks: int, pace: float) -> Generator[str]:
    """The server's address. A pace of 0 is as fast as it is read, each frame in a write of its own."""
    command = [sys.executable, "-m", __name__, wire, str(chunks), str(pace)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as server:
        assert server.stdout is not None
        try:
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        finally:
            server.kill()


def _frames(wire: Wire, chunks: int) -> list[bytes]:
    asked = Request(1, "POST", "/", {}, b'{"model": "bench", "stream_options": {"include_usage": true}}', 0.0)
    answer = text(*(f" word{number}" for number in range(chunks)))
    events = [encoded(frame, "\n") for frame in _FORMATS[wire].frames(answer, asked)]
    return [b"%x\r\n%s\r\n" % (len(event), event) for event in events] + [b"0\r\n\r\n"]


async def _serve(frames: Sequence[bytes], pace: float) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        clock = asyncio.get_running_loop().time
        while head := await _head(reader):
            await reader.readexactly(head)
            writer.write(_HEAD)
            began = clock()
            for number, frame in enumerate(frames, 1):
                writer.write(frame)
                await writer.drain()
                await asyncio.sleep(max(0.0, began + number * pace - clock()))
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1")
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


async def _head(reader: asyncio.StreamReader) -> int:
    """The length of the body that follows, or 0 when the client has gone."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return 0
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:-2])
    return int(fields[b"content-length"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("wire", choices=_FORMATS)
    parser.add_argument("chunks", type=int)
    parser.add_argument("pace", type=float)
    given = parser.parse_args()
    asyncio.run(_serve(_frames(given.wire, given.chunks), given.pace))
