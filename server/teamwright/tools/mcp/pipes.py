"""An MCP server as a program: lines of JSON over its pipes, each within its bound while it is read.

The SDK's own transport takes a line of any length.
"""

import errno
import os
import subprocess
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TextIO, TypeAlias, cast

import anyio
from anyio import to_thread
from anyio.abc import ByteReceiveStream, ByteSendStream, ObjectReceiveStream, ObjectSendStream, Process
from mcp.client._transport import ReadStream, TransportStreams
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCResponse, jsonrpc_message_adapter

from teamwright.config.surroundings import find_program
from teamwright.models.programs.process import running
from teamwright.tools.limits import MAX_MESSAGE_BYTES

Incoming: TypeAlias = SessionMessage | Exception
FAREWELL_SECONDS: Final = 2.0
_GONE: Final = (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError)


class WithoutMeasure(RuntimeError):
    def __init__(self) -> None:
        super().__init__(f"it sent a message of more than {MAX_MESSAGE_BYTES} bytes")


@asynccontextmanager
async def spoken_over_pipes(
    command: str, arguments: Sequence[str], secrets: Mapping[str, str], complaints: TextIO
) -> AsyncGenerator[TransportStreams]:
    """Raises OSError, and WithoutMeasure as soon as a message is one."""
    environment = {**get_default_environment(), **secrets}
    # By its path, because Windows starts no script by its name alone.
    path = await to_thread.run_sync(find_program, command, environment)
    if path is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command)
    sending, incoming = anyio.create_memory_object_stream[Incoming](0)
    outgoing, receiving = anyio.create_memory_object_stream[SessionMessage](0)
    async with running(
        [path, *arguments],
        env=environment,
        # Not in the workspace: interpreters and package runners obey files that lie where they are started.
        cwd=Path.home(),
        stdin=subprocess.PIPE,
        stderr=complaints.fileno(),
    ) as process:
        if process.stdout is None or process.stdin is None:
            raise RuntimeError("a server without pipes")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_read, process.stdout, sending)
            tasks.start_soon(_write, process.stdin, receiving)
            try:
                yield incoming, outgoing
            finally:
                with anyio.CancelScope(shield=True):
                    await _take_leave(process, incoming, outgoing)
                tasks.cancel_scope.cancel()


async def _take_leave(
    process: Process, incoming: ObjectReceiveStream[Incoming], outgoing: ObjectSendStream[SessionMessage]
) -> None:
    """The end of its input tells a server to go; what is left of it then is ended by whoever has started it."""
    await incoming.aclose()
    await outgoing.aclose()
    with anyio.move_on_after(FAREWELL_SECONDS):
        await process.wait()


async def _read(pipe: ByteReceiveStream, sending: ObjectSendStream[Incoming]) -> None:
    pieces: list[bytes] = []
    size = 0
    wanted = True
    async with sending:
        with suppress(*_GONE):
            async for chunk in pipe:
                # What comes when nobody listens is read all the same, so that the server can end.
                if not wanted:
                    continue
                *lines, rest = chunk.split(b"\n")
                for line in lines:
                    whole, pieces, size = b"".join((*pieces, line)), [], 0
                    try:
                        await sending.send(_message(whole))
                    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                        wanted = False
                pieces.append(rest)
                size += len(rest)
                if size > MAX_MESSAGE_BYTES:
                    raise WithoutMeasure


async def _write(pipe: ByteSendStream, receiving: ObjectReceiveStream[SessionMessage]) -> None:
    async with receiving, pipe:
        with suppress(*_GONE):
            async for message in receiving:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await pipe.send(text.encode() + b"\n")


def _message(line: bytes) -> Incoming:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as fault:
        return fault


class WithoutOutputSchemas:
    """The SDK checks results by the server's own schema, on the event loop, however long its patterns take."""

    def __init__(self, stream: ReadStream[Incoming]) -> None:
        self._stream = stream

    @property
    def last_context(self) -> object:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Incoming:
        return _without_output_schemas(await self._stream.receive())

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Incoming:
        return _without_output_schemas(await self._stream.__anext__())

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        return await self._stream.__aexit__(exc_type, exc_val, exc_tb)


def _without_output_schemas(incoming: Incoming) -> Incoming:
    if isinstance(incoming, SessionMessage) and isinstance(incoming.message, JSONRPCResponse):
        tools: object = incoming.message.result.get("tools")
        for tool in cast("list[object]", tools) if isinstance(tools, list) else ():
            if isinstance(tool, dict):
                cast("dict[str, Any]", tool).pop("outputSchema", None)
    return incoming
