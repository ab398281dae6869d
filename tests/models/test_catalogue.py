"""The MCP server that lists our tools to programs, as the official SDK's client sees it."""

import asyncio
import subprocess
from pathlib import Path

import pytest
from mcp import Client, ClientSession, StdioServerParameters, stdio_client
from mcp_types import TextContent

from teamwright.models.port import ToolSpec
from teamwright.models.programs.workplace import Offer, Workplace, offer, write_files
from tests.models.asking import VOTE
from tests.support.patience import PATIENCE_SECONDS

UMLAUT = ToolSpec("grüße", "Größe: 世界\u2028 🙂", {"properties": {"an": {"type": "string"}}})


def offered(home: Path, *, calls_answered: bool) -> Offer:
    made = offer((VOTE, UMLAUT), Workplace(home), calls_answered=calls_answered)
    write_files({made.file: made.text})
    return made


def parameters(made: Offer) -> StdioServerParameters:
    return StdioServerParameters(command=made.command, args=made.arguments)


@pytest.mark.asyncio
async def test_a_client_is_shown_every_tool_with_its_schema_and_that_calls_are_harmless(tmp_path: Path) -> None:
    made = offered(tmp_path, calls_answered=True)

    async with stdio_client(parameters(made)) as (reader, writer), ClientSession(reader, writer) as session:
        handshake = await session.initialize()
        await session.send_ping()
        listed = (await session.list_tools()).tools
        called = await session.call_tool("vote", {"agent_id": "agent1"})

    assert handshake.server_info.name == "teamwright"
    assert [(tool.name, tool.description, tool.input_schema) for tool in listed] == [
        ("vote", VOTE.description, VOTE.schema),
        ("grüße", UMLAUT.description, {"type": "object", **UMLAUT.schema}),
    ]
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed)
    (content,) = called.content
    assert isinstance(content, TextContent)
    assert content.text == "The call is noted. Its result comes with the next message."


@pytest.mark.asyncio
async def test_a_client_that_asks_in_a_newer_way_finds_its_way_back(tmp_path: Path) -> None:
    made = offered(tmp_path, calls_answered=True)

    async with Client(stdio_client(parameters(made)), mode="auto") as client:
        listed = await client.list_tools()

    assert [tool.name for tool in listed.tools] == ["vote", "grüße"]


@pytest.mark.asyncio
async def test_a_call_can_be_left_without_an_answer_while_others_are_given(tmp_path: Path) -> None:
    made = offered(tmp_path, calls_answered=False)

    async with stdio_client(parameters(made)) as (reader, writer), ClientSession(reader, writer) as session:
        await session.initialize()
        call = asyncio.create_task(session.call_tool("vote", {"agent_id": "agent1"}))
        await session.send_ping()
        await session.list_tools()
        assert not call.done()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call


def test_the_server_ends_when_the_program_does(tmp_path: Path) -> None:
    made = offered(tmp_path, calls_answered=True)

    ended = subprocess.run(
        [made.command, *made.arguments], input=b"", capture_output=True, timeout=PATIENCE_SECONDS, check=False
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
