"""The history alone: sessions as things, without a team or its configuration."""

import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from teamwright.runtime.bus import Bus
from teamwright.runtime.catalog.catalog import SessionCatalog
from teamwright.runtime.client_context import ClientContext
from teamwright.runtime.peers.processes import PeerProcesses
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore

__all__ = ["SessionHistory", "opened_history"]

SessionHistory = SessionCatalog


@asynccontextmanager
async def opened_history(client_context: ClientContext, tell: Callable[[str], None]) -> AsyncGenerator[SessionCatalog]:
    """`tell` is given what is amiss with the store. Raises UserError where it cannot be opened."""
    state_path = client_context.state_path(os.environ)
    store = await SqliteStore.open(state_path, Owner.this_process(client_context.editor))
    bus, peers = Bus(), PeerProcesses()
    try:
        for notice in filter(None, (store.notice, client_context.state_notice(os.environ))):
            tell(notice)
        await peers.settle(state_path)
        bus.tell_peers_by(peers.tell)
        yield SessionCatalog(store, bus, client_context.folders)
    finally:
        await store.close()
        await peers.leave()
