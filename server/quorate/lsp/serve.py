"""The language server on standard input and output, from its first message to its exit code."""

import anyio

from quorate.lsp.client_options import ClientOptions
from quorate.lsp.connection import Connection
from quorate.lsp.host import StdioHost
from quorate.lsp.language_server import new_language_server
from quorate.runtime.supervisor import Supervisor
from quorate.runtime.team import Team


async def serve() -> int:
    host, server, client = StdioHost(), new_language_server(), ClientOptions()
    server.protocol.set_writer(host)
    exit_code = 1
    async with Team(lambda: client.premises) as team, anyio.create_task_group() as tasks:
        connection = Connection(server, host, client, Supervisor(tasks, team.assistant), tasks)
        exit_code = await connection.serve(host.messages())
        tasks.cancel_scope.cancel()
    return exit_code
