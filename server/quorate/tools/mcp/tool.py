"""A tool of an MCP server, behind the same dispatcher as our own."""

from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict

from quorate.models.arguments import checked_value
from quorate.models.port import ToolCallInvalid, ToolSpec
from quorate.permissions.actions import Action, McpCall
from quorate.tools.mcp.listed_tool import ListedTool, offered_name
from quorate.tools.mcp.supervision import Report, SupervisedServer
from quorate.tools.port import AnyTool, Arguments, Failed, Outcome, Tool

_LONGEST_DESCRIPTION = 1_000


class McpArguments(Arguments):
    """Whatever the server's own schema allows; that is checked when the tool runs."""

    model_config = ConfigDict(extra="allow", frozen=True)

    @property
    def values(self) -> Mapping[str, Any]:
        return self.model_extra or {}


def mcp_tool(server: SupervisedServer, listed: ListedTool, report: Report) -> AnyTool:
    offered = offered_name(server.settings.name, listed.name)

    class McpTool(Tool[McpArguments]):
        name = offered
        description = listed.description[:_LONGEST_DESCRIPTION]
        arguments = McpArguments

        @property
        def spec(self) -> ToolSpec:
            return ToolSpec(self.name, self.description, listed.schema)

        def action(self, arguments: McpArguments) -> Action:
            del arguments
            return McpCall(server.settings.name, listed.name)

        async def run(self, arguments: McpArguments) -> Outcome:
            checked = checked_value("", self.name, dict(arguments.values), (self.spec,))
            if isinstance(checked, ToolCallInvalid):
                return Failed(checked.problem)
            return await server.call(listed.name, arguments.values, report)

    return McpTool()
