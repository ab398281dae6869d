"""The owner of every MCP server: shares them among those who use them, and ends them all when it is closed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup
from pydantic import ConfigDict

from teamwright.config.backend_settings import McpServer
from teamwright.models.arguments import checked_value
from teamwright.models.port import ToolCallInvalid, ToolSpec
from teamwright.permissions.actions import Action, McpCallAction
from teamwright.store.tool_choices import ToolChoices
from teamwright.tools.limits import MAX_DESCRIPTION_CHARACTERS
from teamwright.tools.mcp.offers import within_bounds
from teamwright.tools.mcp.port import Disconnected, ListedTool, offered_name
from teamwright.tools.mcp.supervision import McpDeadlines, Report, SupervisedServer
from teamwright.tools.port import AnyTool, Arguments, Failed, Outcome, Tool


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

    async def toolkit(self, servers: Sequence[McpServer], report: Report, choices: ToolChoices) -> McpToolkit:
        """The tools of these servers, in their order. A server that fails takes only its own tools with it.

        `choices`: what the user has said of them.
        """
        await to_thread.run_sync(choices.load)
        wanted = list(dict.fromkeys(map(self._supervised, servers)))
        offers = [McpToolkit()] * len(wanted)

        async def ask(index: int) -> None:
            offers[index] = await _offer(wanted[index], report, choices)

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


async def _offer(server: SupervisedServer, report: Report, choices: ToolChoices) -> McpToolkit:
    try:
        listed = await server.tools()
    except Disconnected as fault:
        return McpToolkit(problems=(str(fault),))
    taken = within_bounds(listed)
    problems = () if taken.left_out is None else (f"The MCP server `{server.settings.name}` {taken.left_out}.",)
    return McpToolkit(tuple(mcp_tool(server, tool, report, choices) for tool in taken.tools), problems)


class McpArguments(Arguments):
    """Whatever the server's own schema allows; that is checked when the tool runs."""

    model_config = ConfigDict(extra="allow", frozen=True)

    @property
    def values(self) -> Mapping[str, Any]:
        return self.model_extra or {}


def mcp_tool(server: SupervisedServer, listed: ListedTool, report: Report, choices: ToolChoices) -> AnyTool:
    offered, pin = offered_name(server.settings.name, listed.name), listed.pin(server.settings)

    class McpTool(Tool[McpArguments]):
        name = offered
        description = listed.description[:MAX_DESCRIPTION_CHARACTERS]
        arguments = McpArguments

        @property
        def spec(self) -> ToolSpec:
            return ToolSpec(self.name, self.description, listed.schema)

        def action(self, arguments: McpArguments) -> Action:
            said = choices.remembered(server.settings.name, listed.name, pin)
            return McpCallAction(
                server.settings.name,
                listed.name,
                # All that anybody is told of it.
                description=self.description,
                traits=listed.traits,
                pin=pin,
                arguments=arguments.values,
                choice=said.choice,
                has_changed=said.has_changed,
            )

        async def run(self, arguments: McpArguments) -> Outcome:
            # In a thread: both the schema and the arguments are other people's.
            checked = await to_thread.run_sync(checked_value, "", self.name, dict(arguments.values), (self.spec,))
            if isinstance(checked, ToolCallInvalid):
                return Failed(checked.problem)
            return await server.call(listed, arguments.values, report)

    return McpTool()
