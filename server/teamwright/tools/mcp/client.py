"""A connection to one MCP server, by the official SDK. Importing it takes seconds, so it is preloaded."""

import json
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any, TextIO, assert_never

from anyio import to_thread
from mcp import Client, MCPError
from mcp.client import Transport
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.dispatcher import ProgressFnT
from mcp.types import (
    CONNECTION_CLOSED,
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    Implementation,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
)

from teamwright import __version__
from teamwright.config.backend_settings import HttpServer, McpServer, StdioServer
from teamwright.models.http.response_bounds import BOUNDED
from teamwright.protocol.decisions import ToolTrait
from teamwright.tools.limits import MAX_PAGES, MAX_TOOLS
from teamwright.tools.mcp.pipes import WithoutMeasure, WithoutOutputSchemas, spoken_over_pipes
from teamwright.tools.mcp.port import CallFailed, Disconnected, ListedTool, Overrun
from teamwright.tools.port import Failed, Outcome, Succeeded

log = logging.getLogger(__name__)
# What the SDK logs are the servers' words, whole.
logging.getLogger("mcp").setLevel(logging.CRITICAL)
logging.getLogger("client").setLevel(logging.CRITICAL)


class McpConnection:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def tools(self) -> tuple[ListedTool, ...]:
        listed: list[ListedTool] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            listed += [_listed(tool) for tool in page.tools]
            cursor = page.next_cursor
            # One too many is enough to tell that there are too many.
            if cursor is None or len(listed) > MAX_TOOLS:
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
        return Failed(_text_of(result)) if result.is_error else Succeeded(_text_of(result))


@asynccontextmanager
async def connected(server: McpServer, secrets: Mapping[str, str], complaints: TextIO) -> AsyncGenerator[McpConnection]:
    """`secrets` are the server's environment or headers. Raises Disconnected, when it starts and whenever it ends."""
    client = Client(
        _transport(server, secrets, complaints), client_info=Implementation(name="teamwright", version=__version__)
    )
    try:
        async with client:
            yield McpConnection(client)
    except (OSError, MCPError, RuntimeError, ValueError, ExceptionGroup) as fault:
        log.info("The MCP server %s is gone", server.name)
        first = _first(fault)
        raise (Overrun if isinstance(first, WithoutMeasure) else Disconnected)(_reason(first)) from fault


def _transport(server: McpServer, secrets: Mapping[str, str], complaints: TextIO) -> Transport:
    match server:
        case StdioServer():
            return _checked(spoken_over_pipes(server.command, server.args, secrets, complaints))
        case HttpServer():
            return _checked(_over_http(server.url, secrets))


@asynccontextmanager
async def _checked(transport: AbstractAsyncContextManager[TransportStreams]) -> AsyncGenerator[TransportStreams]:
    async with transport as (incoming, outgoing):
        yield WithoutOutputSchemas(incoming), outgoing


@asynccontextmanager
async def _over_http(url: str, headers: Mapping[str, str]) -> AsyncGenerator[TransportStreams]:
    # Certificates are read from disk: not on the event loop.
    http_client = await to_thread.run_sync(partial(create_mcp_http_client, headers=dict(headers)))
    http_client.event_hooks = BOUNDED
    async with http_client, streamable_http_client(url, http_client=http_client) as streams:
        yield streams


def _listed(tool: Tool) -> ListedTool:
    said = tool.annotations
    # What is not said to read only, and is not said to be harmless, may destroy: so the protocol has it.
    is_read_only = said is not None and said.read_only_hint is True
    is_destructive = said is not None and not is_read_only and said.destructive_hint is not False
    traits: tuple[ToolTrait, ...] = ("read_only",) if is_read_only else ("destructive",) if is_destructive else ()
    return ListedTool(tool.name, tool.description or "", tool.input_schema, traits)


def _first(fault: BaseException) -> BaseException:
    match fault:
        case BaseExceptionGroup(exceptions=(BaseException() as first, *_)):
            return _first(first)
        case _:
            return fault


def _reason(fault: BaseException) -> str:
    match fault:
        case OSError(strerror=str(said), filename=None):
            return said.lower()
        case OSError(strerror=str(said), filename=name):
            return f"{said.lower()}: {name}"
        case _:
            return str(fault) or type(fault).__name__


def _text_of(result: CallToolResult) -> str:
    text = "\n".join(_block_text(block) for block in result.content)
    if not text and result.structured_content is not None:
        return json.dumps(result.structured_content, ensure_ascii=False)
    return text or "[nothing]"


def _block_text(block: ContentBlock) -> str:
    match block:
        case TextContent():
            return block.text
        case ImageContent() | AudioContent():
            return f"[{block.mime_type}, not shown]"
        case ResourceLink():
            return f"[{block.name}: {block.uri}]"
        case EmbeddedResource():
            return _resource_text(block.resource)
        case _:
            assert_never(block)


def _resource_text(resource: TextResourceContents | BlobResourceContents) -> str:
    match resource:
        case TextResourceContents():
            return resource.text
        case BlobResourceContents():
            return f"[{resource.uri}, not shown]"
