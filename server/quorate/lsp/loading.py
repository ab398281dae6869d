"""The rest of the server is loaded behind the greeting. What the client says meanwhile is kept, unless it leaves."""

import asyncio
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Final

from quorate.lasting_modules import load_for_good
from quorate.lsp.transport.leaving import Leaving
from quorate.lsp.transport.messages import REQUEST_CANCELLED, Failure, Message, Notification, Request
from quorate.lsp.transport.peer import Peer
from quorate.lsp.transport.reader import MAX_WAITING, Reader

_TOO_LATE: Final = Failure(REQUEST_CANCELLED, "The client left before the server was ready.")


async def loaded(name: str, reader: Reader, peer: Peer, leaving: Leaving) -> ModuleType | None:
    """None: the client has left. It is not kept waiting for what it does not need any more."""
    loading = asyncio.ensure_future(asyncio.to_thread(load_for_good, [name]))
    kept: list[Message] = []
    while not loading.done() and len(kept) < MAX_WAITING:
        upcoming = asyncio.ensure_future(reader.next())
        await asyncio.wait({upcoming, loading}, return_when=asyncio.FIRST_COMPLETED)
        if not upcoming.done():
            upcoming.cancel()
        elif _is_end(message := upcoming.result()):
            _refuse(kept, peer, leaving)
            return None
        elif message is not None:
            kept.append(message)
    reader.put_back(kept)
    await loading
    return sys.modules[name]


def _is_end(message: Message | None) -> bool:
    return message is None or (isinstance(message, Notification) and message.method == "exit")


def _refuse(kept: Iterable[Message], peer: Peer, leaving: Leaving) -> None:
    for request in kept:
        if isinstance(request, Request):
            is_shutdown = request.method == "shutdown"
            leaving.is_announced |= is_shutdown
            peer.answer(request.id, None if is_shutdown else _TOO_LATE)
