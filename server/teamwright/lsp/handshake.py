"""The first exchange. It is over before anything heavy is loaded, so that the editor has its answer at once; the rest
of the server is loaded behind it, while what the client says meanwhile is kept."""

import asyncio
import linecache
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Final, assert_never

from teamwright.lsp.language_server import TeamwrightServer
from teamwright.lsp.transport.messages import (
    INVALID_PARAMS,
    NOT_INITIALIZED,
    REQUEST_CANCELLED,
    Failure,
    Json,
    Malformed,
    Message,
    NotificationMessage,
    RequestMessage,
    ResponseMessage,
    mapping,
)
from teamwright.lsp.transport.peer import Peer
from teamwright.lsp.transport.shutdown import Shutdown
from teamwright.lsp.transport.stdio import MAX_WAITING, ReaderThread
from teamwright.preload import load_for_good

_NOT_YET: Final = Failure(NOT_INITIALIZED, "The server has not been initialized; send `initialize` first.")
_NO_PARAMS: Final = Failure(INVALID_PARAMS, "The params of `initialize` must be an object.")
_TOO_LATE: Final = Failure(REQUEST_CANCELLED, "The client left before the server was ready.")


async def greeted(reader: ReaderThread, peer: Peer, server: TeamwrightServer) -> Json | None:
    """The params of `initialize`; None: the client left without a greeting."""
    while (message := await reader.next()) is not None:
        match message:
            case RequestMessage(method="initialize", params=dict()):
                params = mapping(message.params)
                server.answer_initialize(message.id, params)
                peer.meet(mapping(params.get("capabilities")), server.server_capabilities.position_encoding)
                return params
            case RequestMessage(method="initialize"):
                peer.answer(message.id, _NO_PARAMS)
            case RequestMessage():
                peer.answer(message.id, _NOT_YET)
            case NotificationMessage(method="exit"):
                return None
            case NotificationMessage() | ResponseMessage():
                pass
            case Malformed():
                peer.refuse(message)
            case _:
                assert_never(message)
    return None


async def loaded(name: str, reader: ReaderThread, peer: Peer, shutdown: Shutdown) -> ModuleType | None:
    """None: the client has left. It is not kept waiting for what it does not need any more."""
    # attrs keeps the source of each method that it has written, for debuggers: megabytes, with the types of LSP.
    linecache.clearcache()
    loading = _in_a_thread_that_nobody_waits_for(lambda: load_for_good([name]))
    kept: list[Message] = []
    while not loading.done() and len(kept) < MAX_WAITING:
        upcoming = asyncio.ensure_future(reader.next())
        await asyncio.wait({upcoming, loading}, return_when=asyncio.FIRST_COMPLETED)
        if not upcoming.done():
            upcoming.cancel()
        elif _is_end(message := upcoming.result()):
            _refuse(kept, peer, shutdown)
            return None
        elif message is not None:
            kept.append(message)
    reader.put_back(kept)
    await loading
    # What could not be loaded raises again here.
    return import_module(name)


def _in_a_thread_that_nobody_waits_for(load: Callable[[], None]) -> asyncio.Future[None]:
    """Else a client that leaves at once would wait for what it does not need. Done when it has ended, however."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def run() -> None:
        try:
            load()
        finally:
            with suppress(RuntimeError):  # The loop is closed: we have left.
                loop.call_soon_threadsafe(lambda: ended.done() or ended.set_result(None))

    threading.Thread(target=run, name="loading", daemon=True).start()
    return ended


def _is_end(message: Message | None) -> bool:
    return message is None or (isinstance(message, NotificationMessage) and message.method == "exit")


def _refuse(kept: Iterable[Message], peer: Peer, shutdown: Shutdown) -> None:
    for request in kept:
        if isinstance(request, RequestMessage):
            is_shutdown = request.method == "shutdown"
            shutdown.is_announced |= is_shutdown
            peer.answer(request.id, None if is_shutdown else _TOO_LATE)
