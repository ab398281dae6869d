"""One HTTP/1.1 connection: h11 parses and frames, the steps decide which bytes go out and when."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import assert_never

import h11

from tests.support.model_server.delivery import HangUp, Head, Pause, Send, SendHalf, Silence, Step, Wait
from tests.support.model_server.request import Request

READ_SIZE = 65_536


@dataclass(frozen=True)
class Received:
    """A whole request, as it came."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes


Respond = Callable[[Received], tuple[Request, Iterable[Step]]]


class ClientLeft(Exception):
    """The client closed the connection while a reply was under way."""


class HungUp(Exception):
    """The script wants the connection closed."""


class Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, respond: Respond) -> None:
        self._reader = reader
        self._writer = writer
        self._respond = respond
        self._http = h11.Connection(h11.SERVER)

    async def serve(self) -> None:
        """Request after request, until one side closes the connection."""
        try:
            while (received := await self._next_request()) is not None:
                request, steps = self._respond(received)
                await self._reply(request, steps)
                if self._http.our_state is not h11.DONE:
                    return
                self._http.start_next_cycle()
        except (ConnectionError, HungUp, h11.RemoteProtocolError):
            return
        finally:
            self._writer.close()
            with suppress(ConnectionError):
                await self._writer.wait_closed()

    async def _next_request(self) -> Received | None:
        head: h11.Request | None = None
        body = bytearray()
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(READ_SIZE))
            elif isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                path = head.target.decode().partition("?")[0]
                headers = {name.decode(): value.decode() for name, value in head.headers}
                return Received(head.method.decode(), path, headers, bytes(body))
            else:
                return None

    async def _reply(self, request: Request, steps: Iterable[Step]) -> None:
        """Plays the steps and, at the same time, watches whether the client is still there."""
        playing = asyncio.ensure_future(self._play(steps))
        watching = asyncio.ensure_future(self._watch())
        try:
            await asyncio.wait({playing, watching}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                raise ClientLeft
            playing.result()
            request.answered.add()
        except (ClientLeft, ConnectionError) as gone:
            request.gone.add()
            raise ConnectionResetError from gone
        finally:
            for task in (playing, watching):
                task.cancel()
            await asyncio.gather(playing, watching, return_exceptions=True)

    async def _watch(self) -> None:
        """Ends when the client is gone. A client that sends its next request early is not."""
        with suppress(ConnectionError):
            while data := await self._reader.read(READ_SIZE):
                self._http.receive_data(data)

    async def _play(self, steps: Iterable[Step]) -> None:
        for step in steps:
            match step:
                case Pause(seconds=seconds):
                    await asyncio.sleep(seconds)
                case Wait(until=until):
                    await until()
                case Head():
                    await self._write(self._http.send(_response(step)))
                case Send(data=data):
                    await self._write(self._http.send(h11.Data(data=data)))
                case SendHalf(data=data):
                    framed = self._http.send(h11.Data(data=data)) or b""
                    await self._write(framed[: len(framed) // 2])
                    raise HungUp
                case Silence():
                    await asyncio.Event().wait()
                case HangUp():
                    raise HungUp
                case _:
                    assert_never(step)
        await self._write(self._http.send(h11.EndOfMessage()))

    async def _write(self, data: bytes | None) -> None:
        self._writer.write(data or b"")
        await self._writer.drain()


def _response(head: Head) -> h11.Response:
    framing = {"transfer-encoding": "chunked"} if head.length is None else {"content-length": str(head.length)}
    headers = [(name, value) for name, value in {**head.headers, **framing}.items()]
    return h11.Response(status_code=head.status, headers=headers)
