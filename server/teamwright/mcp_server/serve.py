"""The MCP server on standard input and output, by the official SDK."""

from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from teamwright import __version__
from teamwright.application.lifecycle import ClientContext, opened_application
from teamwright.mcp_server.offered import OFFERED, input_schema
from teamwright.mcp_server.tools import McpTools
from teamwright.mcp_server.watch import Watch
from teamwright.protocol.errors import BadParams, UserError

_INSTRUCTIONS = (
    "A team of AI agents for this workspace. `launch_run` describes a run, the user decides, `respond` starts it; "
    "results come back with every agent's answer and the votes."
)


async def serve(client_context: ClientContext) -> int:
    """Until the client closes our input."""
    async with opened_application(lambda: client_context) as application:
        watch = Watch()
        server = _server(McpTools(application.context_for(watch), watch))
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    return 0


def _server(tools: McpTools) -> Server[Any]:
    async def list_tools(_context: ServerRequestContext[Any], _page: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(
            tools=[
                Tool(
                    name=name,
                    description=offered.description,
                    input_schema=input_schema(offered.params),
                    annotations=ToolAnnotations(read_only_hint=offered.is_read_only),
                )
                for name, offered in OFFERED.items()
            ]
        )

    async def call_tool(context: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        async def report(steps: float, sentence: str) -> None:
            await context.session.report_progress(steps, message=sentence)

        try:
            said = await tools.call(params.name, params.arguments, report)
        except BadParams as fault:
            return _failed("\n".join(f"{error.path}: {error.message}" for error in fault.errors))
        except UserError as fault:
            return _failed(fault.message)
        return CallToolResult(content=[TextContent(text=said.text)], structured_content=said.data)

    return Server(
        "teamwright", version=__version__, instructions=_INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
    )


def _failed(sentence: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=sentence)], is_error=True)
