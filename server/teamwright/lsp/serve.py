"""The language server on standard input and output, from its first message to its exit code."""

import asyncio
import logging
from typing import Final

from teamwright.lsp.handshake import greeted, loaded
from teamwright.lsp.language_server import TeamwrightServer
from teamwright.lsp.transport.error_output import ErrorOutput
from teamwright.lsp.transport.outbox import Outbox
from teamwright.lsp.transport.peer import Peer
from teamwright.lsp.transport.shutdown import Shutdown
from teamwright.lsp.transport.stdio import FrameWriterThread, ReaderThread, Stdio
from teamwright.lsp.transport.watchdog import Watchdog

log = logging.getLogger(__name__)

# How long the client may take to read our last words.
_LAST_WORDS_SECONDS: Final = 1.0


def serve() -> int:
    error_output = ErrorOutput.claim()
    try:
        return asyncio.run(_serve(Stdio.claim()))
    finally:
        if error_output is not None:
            error_output.release(_LAST_WORDS_SECONDS)


async def _serve(stdio: Stdio) -> int:
    shutdown, outbox = Shutdown(), Outbox()
    shutdown.heed_signals()
    watchdog = Watchdog()
    watchdog.start()
    writer = FrameWriterThread(stdio, outbox, client_is_gone=shutdown.want)
    writer.start()
    reader = ReaderThread(stdio, outbox.wait_for_room, shutdown.note_end_of_input)
    reader.start()
    serving = asyncio.create_task(_conversation(reader, outbox, shutdown))
    wanted = asyncio.create_task(shutdown.is_wanted())
    await asyncio.wait({serving, wanted}, return_when=asyncio.FIRST_COMPLETED)
    shutdown.start_clock()
    watchdog.stop()
    serving.cancel()
    wanted.cancel()
    await asyncio.wait({serving, wanted})
    await asyncio.to_thread(writer.finish, _LAST_WORDS_SECONDS)
    if not serving.cancelled() and (fault := serving.exception()) is not None:
        log.critical("The server failed and has stopped", exc_info=fault)
        return 1
    return shutdown.exit_code


async def _conversation(reader: ReaderThread, outbox: Outbox, shutdown: Shutdown) -> None:
    peer, server = Peer(outbox), TeamwrightServer(outbox)
    params = await greeted(reader, peer, server)
    if params is not None:
        rest = await loaded("teamwright.lsp.client_connection", reader, peer, shutdown)
        if rest is not None:
            await rest.serve_client(params, server, reader=reader, outbox=outbox, peer=peer, shutdown=shutdown)
