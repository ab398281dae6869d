"""Tools of MCP servers: real servers on stdio and HTTP, behind the same dispatcher as every other tool."""

import fcntl
import os
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread

from teamwright.config.backend_settings import HttpServer, McpServer, StdioServer
from teamwright.config.secrets import Secret
from teamwright.permissions.paths import Places
from teamwright.permissions.rules import Rules
from teamwright.store.tool_choices import ToolChoices
from teamwright.tools.mcp.port import offered_name
from teamwright.tools.mcp.servers import McpServers, McpToolkit
from teamwright.tools.mcp.supervision import McpDeadlines
from teamwright.tools.port import Failed, Succeeded
from tests.tools.desk import Caller

pytestmark = pytest.mark.asyncio

DEADLINE = 60.0
TOKEN = "token-of-a-person"
ENVIRON = {**os.environ, "PERSONAL_TOKEN": TOKEN, "OTHER_API_KEY": "secret"}
NOWHERE = Path(__file__) / "nowhere"
PROGRAM = Path(__file__).with_name("mcp_server.py")
ODD_NAME = offered_name("small", "odd name/with.dots")


def small(**settings: Any) -> StdioServer:
    env = {"SMALL_TOKEN": Secret("${PERSONAL_TOKEN}"), "SMALL_MODE": Secret("test")}
    return StdioServer(name="small", command=sys.executable, args=(str(PROGRAM),), env=env, **settings)


@contextmanager
def served(listening: socket.socket) -> Generator["subprocess.Popen[bytes]"]:
    """Our end is closed, so that nobody listens any more when the server has gone."""
    descriptor = listening.fileno()
    with subprocess.Popen([sys.executable, str(PROGRAM), str(descriptor)], pass_fds=[descriptor]) as program:
        listening.close()
        try:
            yield program
        finally:
            program.kill()


class Told:
    """What whoever waits was told, in order."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.something = anyio.Event()

    async def __call__(self, sentence: str) -> None:
        self.sentences.append(sentence)
        self.something.set()


def caller(toolkit: McpToolkit, *servers: str) -> Caller:
    rules = Rules(role="agent", places=Places(()), mcp_servers=frozenset(servers))
    return Caller(rules, toolkit.tools)


@asynccontextmanager
async def running(deadlines: McpDeadlines | None = None) -> AsyncGenerator[McpServers]:
    with anyio.fail_after(DEADLINE):
        async with McpServers(ENVIRON, deadlines) as servers:
            yield servers


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """Connections wait in it until somebody serves them."""
    with socket.create_server(("127.0.0.1", 0)) as ready:
        yield ready


async def test_the_tools_of_every_server_that_starts_are_offered_and_the_others_are_named() -> None:
    broken = "import sys; sys.exit('no licence found')"
    asked: tuple[McpServer, ...] = (
        small(allowed_tools=("add", "odd name/with.dots", "die"), exclude_tools=("die",)),
        small(allowed_tools=("add", "odd name/with.dots", "die"), exclude_tools=("die",)),
        StdioServer(name="absent", command="no-such-program"),
        StdioServer(name="broken", command=sys.executable, args=("-c", broken)),
        StdioServer(name="unset", command="true", env={"KEY": Secret("${NOT_SET_ANYWHERE}")}),
    )
    async with running() as servers:
        toolkit = await servers.toolkit(asked, Told(), ToolChoices(NOWHERE))
    specs = [tool.spec for tool in toolkit.tools]
    assert [(spec.name, spec.description) for spec in specs] == [
        ("small__add", "Add two numbers."),
        (ODD_NAME, ""),
    ]
    assert specs[0].schema["properties"]["first"]["type"] == "integer"
    not_set = "NOT_SET_ANYWHERE is not set, set this environment variable"
    assert toolkit.problems == (
        "The MCP server `absent` could not be started: no such file or directory: no-such-program.",
        "The MCP server `broken` could not be started: Connection closed (no licence found).",
        f"The MCP server `unset` could not be started: {not_set}.",
    )


async def test_a_call_brings_back_what_the_server_says() -> None:
    cut = "x" * 16_000
    async with running() as servers:
        agent = caller(await servers.toolkit([small()], Told(), ToolChoices(NOWHERE)), "small")
        said = {
            "sum": await agent("small__add", first=1, second=2),
            "odd": await agent(ODD_NAME),
            "refusal": await agent("small__refuse"),
            "image": await agent("small__draw"),
            "long": await agent("small__recite", characters=100_000),
            "place": await agent("small__place"),
        }
    assert said == {
        "sum": Succeeded("3"),
        "odd": Succeeded("odd"),
        "refusal": Failed("Error executing tool refuse: not on a Sunday"),
        "image": Succeeded("[image/png, not shown]"),
        "long": Succeeded(f"{cut}\n[… 68000 characters left out; ask for less at a time …]\n{cut}"),
        "place": Succeeded(str(Path.home())),
    }


async def test_a_server_gets_the_environment_of_its_configuration_and_keeps_its_secret() -> None:
    async with running() as servers:
        agent = caller(await servers.toolkit([small()], Told(), ToolChoices(NOWHERE)), "small")
        environment = await agent("small__environment")
        revealed = await agent("small__reveal")
    assert isinstance(environment, Succeeded)
    names = set(environment.text.split("\n"))
    assert {"SMALL_TOKEN", "SMALL_MODE", "PATH"} <= names
    assert names.isdisjoint({"PERSONAL_TOKEN", "OTHER_API_KEY"})
    assert revealed == Succeeded("*** None")


async def test_a_call_that_does_not_fit_or_is_not_allowed_never_reaches_the_server() -> None:
    async with running() as servers:
        toolkit = await servers.toolkit([small()], Told(), ToolChoices(NOWHERE))
        agent, stranger = caller(toolkit, "small"), caller(toolkit)
        told = [
            await stranger("small__add", first=1, second=2),
            await agent("small__add", first="one", second=2),
            await agent("small__add", first=1),
        ]
    unfit = "The arguments of small__add do not fit: {}. Correct them and call it again."
    assert told == [
        Failed("`add`: no MCP server `small` is configured"),
        Failed(unfit.format("first: 'one' is not of type 'integer'")),
        Failed(unfit.format("$: 'second' is a required property")),
    ]


async def test_a_server_that_dies_is_started_again_but_not_for_ever() -> None:
    died = Failed(
        "The MCP server `small` failed during the call: it ended (out of memory ***). "
        "It is started again when it is next needed; check first what this call has done."
    )
    async with running() as servers:
        agent = caller(await servers.toolkit([small()], Told(), ToolChoices(NOWHERE)), "small")
        assert await agent("small__die") == died
        assert await agent("small__add", first=1, second=2) == Succeeded("3")
        assert await agent("small__die") == died
        assert await agent("small__die") == died
        resting = await agent("small__add", first=1, second=2)
    assert isinstance(resting, Failed)
    assert resting.text.startswith("The MCP server `small` keeps failing: it ended (out of memory ***). Try again in ")


async def test_progress_is_reported_and_cancelling_a_call_tells_the_server_to_stop(tmp_path: Path) -> None:
    told = Told()
    os.mkfifo(tmp_path / "told")
    async with running() as servers:
        agent = caller(await servers.toolkit([small()], told, ToolChoices(NOWHERE)), "small")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: agent("small__dawdle", told=str(tmp_path / "told")))
            await told.something.wait()
            tasks.cancel_scope.cancel()
        assert await _read(tmp_path / "told") == "told to stop"
        assert await agent("small__add", first=1, second=2) == Succeeded("3")
    assert told.sentences == ["dawdle: 1 of 3 warming up"]


async def test_a_call_that_gets_no_answer_ends_and_the_server_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "told")
    async with running(McpDeadlines(silence=0.5)) as servers:
        agent = caller(await servers.toolkit([small()], Told(), ToolChoices(NOWHERE)), "small")
        outcome = await agent("small__dawdle", told=str(tmp_path / "told"))
        assert outcome == Failed("`dawdle` gave no answer in time and was told to stop.")
        assert await _read(tmp_path / "told") == "told to stop"


async def test_a_server_that_does_not_come_up_is_given_up_in_time() -> None:
    silent = StdioServer(name="silent", command="sleep", args=("1000",))
    async with running(McpDeadlines(start=0.5)) as servers:
        toolkit = await servers.toolkit([silent], Told(), ToolChoices(NOWHERE))
    late = "The MCP server `silent` could not be started: it did not start within 0.5 s."
    assert toolkit == McpToolkit(problems=(late,))


async def test_closing_ends_servers_and_all_that_they_started(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    async with running() as servers:
        agent = caller(await servers.toolkit([small()], Told(), ToolChoices(NOWHERE)), "small")
        assert await agent("small__cling", lock=str(lock)) == Succeeded("done")
    with anyio.fail_after(DEADLINE):
        await to_thread.run_sync(_until_unlocked, lock, abandon_on_cancel=True)


async def test_what_happens_around_the_servers_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        async with McpServers(ENVIRON):
            raise ZeroDivisionError


async def test_a_server_is_reached_over_http_with_the_headers_of_its_configuration(listening: socket.socket) -> None:
    host, port = listening.getsockname()
    headers = {"Authorization": Secret("Bearer ${PERSONAL_TOKEN}")}
    web = HttpServer(name="web", type="http", url=f"http://{host}:{port}/mcp", headers=headers)
    async with running() as servers:
        with served(listening) as program:
            agent = caller(await servers.toolkit([web], Told(), ToolChoices(NOWHERE)), "web")
            said = [await agent("web__add", first=1, second=2), await agent("web__reveal"), await agent("web__die")]
            await to_thread.run_sync(program.wait)
        gone = await agent("web__add", first=1, second=2)
    failed = (
        "The MCP server `web` failed during the call: it ended. "
        "It is started again when it is next needed; check first what this call has done."
    )
    assert said == [Succeeded("3"), Succeeded("None ***"), Failed(failed)]
    assert gone == Failed("The MCP server `web` could not be started: All connection attempts failed.")


async def _read(path: Path) -> str:
    """Waits for whoever writes into the pipe."""
    return await to_thread.run_sync(lambda: path.read_text(encoding="utf-8"), abandon_on_cancel=True)


def _until_unlocked(path: Path) -> None:
    with path.open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
