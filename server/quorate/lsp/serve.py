"""The language server on standard input and output, from its first message to its exit code."""

import anyio

from quorate.lsp.client_options import ClientOptions
from quorate.lsp.connection import Connection
from quorate.lsp.host import StdioHost
from quorate.lsp.language_server import new_language_server
from quorate.runtime.bus import Bus
from quorate.runtime.house import HouseKeeper
from quorate.runtime.supervisor import Supervisor
from quorate.workspace.documents import Documents


async def serve() -> int:
    host, server, client, bus = StdioHost(), new_language_server(), ClientOptions(), Bus()
    server.protocol.set_writer(host)
    exit_code = 1
    async with HouseKeeper(lambda: client.premises, bus, Documents()) as keeper:
        async with anyio.create_task_group() as tasks:
            supervisor = Supervisor(lambda: keeper.house(tasks))
            connection = Connection(server, host, client=client, supervisor=supervisor, bus=bus, tasks=tasks)
            exit_code = await connection.serve(host.messages())
            tasks.cancel_scope.cancel()
        return exit_code
