"""The owner of every MCP server: shares them among those who use them, and ends them all when it is closed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import anyio
from anyio.abc import TaskGroup

from quorate.config.mcp_settings import McpServer
from quorate.tools.mcp.faults import Disconnected
from quorate.tools.mcp.supervision import McpDeadlines, Report, SupervisedServer
from quorate.tools.mcp.tool import mcp_tool
from quorate.tools.port import AnyTool


@dataclass(frozen=True, slots=True)
class McpToolkit:
    tools: tuple[AnyTool, ...] = ()
    # A sentence for the user about each server whose tools are missing.
    problems: tuple[str, ...] = ()


class McpServers:
    """Use it as an async context manager. No server is started before its tools are asked for."""

    _tasks: TaskGroup

    def __init__(self, environ: Mapping[str, str], deadlines: McpDeadlines | None = None) -> None:
        self._environ = environ
        self._deadlines = deadlines or McpDeadlines()
        self._servers: list[SupervisedServer] = []

    async def __aenter__(self) -> Self:
        self._tasks = await anyio.create_task_group().__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tasks.cancel_scope.cancel()
        # What the body raised is not the group's, which would wrap it.
        await self._tasks.__aexit__(None, None, None)

    async def toolkit(self, servers: Sequence[McpServer], report: Report) -> McpToolkit:
        """The tools of these servers, in their order. A server that fails takes only its own tools with it."""
        wanted = list(dict.fromkeys(map(self._supervised, servers)))
        offers = [McpToolkit()] * len(wanted)

        async def ask(index: int) -> None:
            offers[index] = await _offer(wanted[index], report)

        async with anyio.create_task_group() as tasks:
            for index in range(len(wanted)):
                tasks.start_soon(ask, index)
        return McpToolkit(
            tuple(tool for offer in offers for tool in offer.tools),
            tuple(problem for offer in offers for problem in offer.problems),
        )

    def _supervised(self, settings: McpServer) -> SupervisedServer:
        for server in self._servers:
            if server.settings == settings:
                return server
        server = SupervisedServer(settings, self._environ, self._tasks, self._deadlines)
        self._servers.append(server)
        return server


async def _offer(server: SupervisedServer, report: Report) -> McpToolkit:
    try:
        listed = await server.tools()
    except Disconnected as fault:
        return McpToolkit(problems=(str(fault),))
    return McpToolkit(tuple(mcp_tool(server, tool, report) for tool in listed))
