"""A connection to one MCP server, by the official SDK. Importing it takes seconds, so it is preloaded."""

import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO

from anyio import to_thread
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.dispatcher import ProgressFnT
from mcp.types import CONNECTION_CLOSED, Implementation

from quorate import __version__
from quorate.config.mcp_settings import HttpServer, McpServer, StdioServer
from quorate.tools.mcp.faults import CallFailed, Disconnected
from quorate.tools.mcp.listed_tool import ListedTool
from quorate.tools.mcp.results import text_of
from quorate.tools.port import Failed, Outcome, Succeeded

log = logging.getLogger(__name__)

_MOST_PAGES: Final = 20


class Connection:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def tools(self) -> tuple[ListedTool, ...]:
        listed: list[ListedTool] = []
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            listed += [ListedTool(tool.name, tool.description or "", tool.input_schema) for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
        return tuple(listed)

    async def call(self, tool: str, arguments: Mapping[str, Any], on_progress: ProgressFnT) -> Outcome:
        """Raises Disconnected and CallFailed. Cancelling it tells the server to stop, too."""
        try:
            result = await self._client.call_tool(tool, dict(arguments), progress_callback=on_progress)
        except MCPError as error:
            if error.code == CONNECTION_CLOSED:
                raise Disconnected(error.message) from error
            raise CallFailed(error.message) from error
        except (RuntimeError, ValueError) as error:
            raise CallFailed(f"the server's answer breaks the protocol or its own schema ({error})") from error
        return Failed(text_of(result)) if result.is_error else Succeeded(text_of(result))


@asynccontextmanager
async def connected(server: McpServer, secrets: Mapping[str, str], complaints: TextIO) -> AsyncGenerator[Connection]:
    """`secrets` are the server's environment or headers. Raises Disconnected, when it starts and whenever it ends."""
    client = Client(
        _transport(server, secrets, complaints), client_info=Implementation(name="quorate", version=__version__)
    )
    try:
        async with client:
            yield Connection(client)
    except (OSError, MCPError, RuntimeError, ValueError, ExceptionGroup) as fault:
        log.info("The MCP server %s is gone", server.name, exc_info=fault)
        raise Disconnected(_reason(fault)) from fault


def _transport(server: McpServer, secrets: Mapping[str, str], complaints: TextIO) -> Transport:
    match server:
        case StdioServer():
            # Not in the workspace: interpreters and package runners obey files that lie where they are started.
            program = StdioServerParameters(
                command=server.command, args=list(server.args), env=dict(secrets), cwd=Path.home()
            )
            return stdio_client(program, errlog=complaints)
        case HttpServer():
            return _over_http(server.url, secrets)


@asynccontextmanager
async def _over_http(url: str, headers: Mapping[str, str]) -> AsyncGenerator[Any]:
    # Certificates are read from disk: not on the event loop.
    http_client = await to_thread.run_sync(partial(create_mcp_http_client, headers=dict(headers)))
    async with http_client, streamable_http_client(url, http_client=http_client) as streams:
        yield streams


def _reason(fault: BaseException) -> str:
    match fault:
        case BaseExceptionGroup(exceptions=(BaseException() as first, *_)):
            return _reason(first)
        case OSError(strerror=str(said), filename=None):
            return said.lower()
        case OSError(strerror=str(said), filename=name):
            return f"{said.lower()}: {name}"
        case _:
            return str(fault) or type(fault).__name__
