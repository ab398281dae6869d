"""The language server on standard input and output, from its first message to its exit code."""

import asyncio

import anyio

from quorate.lsp.connection import Connection
from quorate.lsp.host import StdioHost
from quorate.lsp.language_server import new_language_server
from quorate.runtime.supervisor import Supervisor
from quorate.runtime.team import Team


async def serve() -> int:
    host, server = StdioHost(), new_language_server()
    server.protocol.set_writer(host)
    async with Team(lambda: server.workspace.root_path) as team, anyio.create_task_group() as tasks:
        connection = Connection(server, host, Supervisor(tasks, team.assistant), tasks)
        host.start(asyncio.get_running_loop(), connection.receive)
        await connection.ended.wait()
        tasks.cancel_scope.cancel()
    return connection.exit_code
