"""Neovim's msgpack-RPC over a child's standard streams."""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any, cast

import msgpack

REQUEST, RESPONSE, NOTIFICATION = 0, 1, 2

# The package has no types of its own.
_packed = cast("Callable[[object], bytes]", msgpack.packb)
_Unpacker = cast("Any", msgpack.Unpacker)


class NvimError(Exception):
    """Neovim answered a request with an error."""


class Rpc:
    def __init__(self, process: asyncio.subprocess.Process, on_notification: Callable[[str, list[Any]], None]) -> None:
        self._process = process
        self._on_notification = on_notification
        self._ids = count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._reader = asyncio.create_task(self._read())

    async def call(self, method: str, *arguments: object) -> Any:
        assert self._process.stdin is not None
        response = asyncio.get_running_loop().create_future()
        message_id = next(self._ids)
        self._waiting[message_id] = response
        self._process.stdin.write(_packed([REQUEST, message_id, method, arguments]))
        await self._process.stdin.drain()
        return await response

    async def closed(self) -> None:
        await self._reader

    async def _read(self) -> None:
        assert self._process.stdout is not None
        unpacker = _Unpacker(raw=False, strict_map_key=False, unicode_errors="surrogateescape")
        while data := await self._process.stdout.read(1 << 16):
            unpacker.feed(data)
            for message in unpacker:
                self._take(message)
        for response in self._waiting.values():
            response.cancel()

    def _take(self, message: list[Any]) -> None:
        if message[0] == NOTIFICATION:
            self._on_notification(message[1], message[2])
            return
        response = self._waiting.pop(message[1])
        if response.cancelled():
            return
        if message[2] is not None:
            response.set_exception(NvimError(message[2][1]))
        else:
            response.set_result(message[3])
