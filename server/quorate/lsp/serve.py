"""The language server on standard input and output, from its first message to its exit code."""

import asyncio
import logging
from typing import Final

from quorate.lsp.greeting import greeted
from quorate.lsp.loading import loaded
from quorate.lsp.transport.leaving import Leaving
from quorate.lsp.transport.outbox import Outbox
from quorate.lsp.transport.peer import Peer
from quorate.lsp.transport.reader import Reader
from quorate.lsp.transport.stdio import Stdio
from quorate.lsp.transport.writer import Writer

log = logging.getLogger(__name__)

# How long the client may take to read our last words.
_LAST_WORDS_SECONDS: Final = 1.0


def serve() -> int:
    return asyncio.run(_serve(Stdio.claim()))


async def _serve(stdio: Stdio) -> int:
    leaving, outbox = Leaving(), Outbox()
    leaving.heed_signals()
    writer = Writer(stdio, outbox, client_is_gone=leaving.want)
    writer.start()
    reader = Reader(stdio, outbox.wait_for_room)
    reader.start()
    serving = asyncio.create_task(_conversation(reader, outbox, leaving))
    wanted = asyncio.create_task(leaving.is_wanted())
    await asyncio.wait({serving, wanted}, return_when=asyncio.FIRST_COMPLETED)
    leaving.start_clock()
    serving.cancel()
    wanted.cancel()
    await asyncio.wait({serving, wanted})
    await asyncio.to_thread(writer.finish, _LAST_WORDS_SECONDS)
    if not serving.cancelled() and (fault := serving.exception()) is not None:
        log.critical("The server failed and has stopped", exc_info=fault)
        return 1
    return leaving.exit_code


async def _conversation(reader: Reader, outbox: Outbox, leaving: Leaving) -> None:
    peer = Peer(outbox)
    greeting = await greeted(reader, peer)
    if greeting is not None:
        conversation = await loaded("quorate.lsp.conversation", reader, peer, leaving)
        if conversation is not None:
            await conversation.converse(greeting, reader=reader, outbox=outbox, peer=peer, leaving=leaving)
