"""Everything behind the greeting: the runtime, opened for one client and closed when it leaves."""

import anyio
import sniffio

from quorate.lsp.client_options import ClientOptions
from quorate.lsp.connection import Connection
from quorate.lsp.containment import Errands
from quorate.lsp.features.applying import ClientEditor
from quorate.lsp.features.diagnostics import Diagnostics
from quorate.lsp.features.event_feed import EventFeed
from quorate.lsp.features.registry import all_methods
from quorate.lsp.greeting import Greeting
from quorate.lsp.handlers.desk import Desk
from quorate.lsp.outbound import Outbound
from quorate.lsp.transport.answering import Answering
from quorate.lsp.transport.leaving import Leaving
from quorate.lsp.transport.logs import begin_logging
from quorate.lsp.transport.outbox import Outbox
from quorate.lsp.transport.parent import watch_parent
from quorate.lsp.transport.peer import Peer
from quorate.lsp.transport.reader import Reader
from quorate.runtime.bus import Bus
from quorate.runtime.house import HouseKeeper
from quorate.runtime.supervisor import Supervisor
from quorate.workspace.documents import Documents


async def converse(greeting: Greeting, *, reader: Reader, outbox: Outbox, peer: Peer, leaving: Leaving) -> None:
    # Told once; every step of anyio and of the HTTP clients would sniff it out anew.
    sniffio.current_async_library_cvar.set("asyncio")
    begin_logging(peer)
    watch_parent(greeting.params.get("processId"), leaving.want)
    options, bus, documents = ClientOptions(greeting.params), Bus(), Documents()
    client = Outbound()
    if peer.knows_our_protocol:
        client.follow(EventFeed(outbox, deltas=options.wants_deltas))
    bus.join(client)
    keeper = HouseKeeper(lambda: options.premises, bus, documents, ClientEditor(peer))
    async with keeper, anyio.create_task_group() as tasks:
        errands = Errands()
        tasks.start_soon(errands.run)
        supervisor = Supervisor(lambda: keeper.house(tasks))
        desk = Desk(supervisor, client, peer, documents, errands, options, Diagnostics(peer), keeper.renew)
        errands.start(supervisor.foreign.follow)
        errands.start(keeper.listen, supervisor.foreign.hear)
        connection = Connection(desk, all_methods(desk), Answering(peer, tasks), leaving)
        await connection.serve(reader)
        tasks.cancel_scope.cancel()
