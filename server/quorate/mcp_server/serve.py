"""The MCP server on standard input and output, by the official SDK."""

from typing import Any

import anyio
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

from quorate import __version__
from quorate.mcp_server.offered import OFFERED, input_schema
from quorate.mcp_server.office import Office
from quorate.protocol.errors import BadParams, UserError
from quorate.runtime.bus import Bus
from quorate.runtime.house import HouseKeeper
from quorate.runtime.premises import Premises
from quorate.runtime.supervisor import Supervisor
from quorate.workspace.documents import Documents

_INSTRUCTIONS = (
    "A team of AI agents for this workspace. `launch_run` describes a run, the user decides, `respond` starts it; "
    "results come back with every agent's answer and the votes."
)


async def serve(premises: Premises) -> int:
    """Until the client closes our input."""
    async with HouseKeeper(lambda: premises, Bus(), Documents()) as keeper, anyio.create_task_group() as tasks:
        server = _server(Office(Supervisor(lambda: keeper.house(tasks))))
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()
    return 0


def _server(office: Office) -> Server[Any]:
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
            said = await office.call(params.name, params.arguments, report)
        except BadParams as fault:
            return _failed("\n".join(f"{error.path}: {error.message}" for error in fault.errors))
        except UserError as fault:
            return _failed(fault.message)
        return CallToolResult(content=[TextContent(text=said.text)], structured_content=said.data)

    return Server(
        "quorate", version=__version__, instructions=_INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
    )


def _failed(sentence: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=sentence)], is_error=True)
