"""How long anybody waits for the server while a model, an MCP server or a command has no measure.

Each attack goes on in one session while another client's question is asked again and again: the longest answer counts,
beside that of the same server at rest. The promise is 100 ms.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from tests.support.doors import team_config
from tests.support.endless_server import STREAM, endless
from tests.support.lsp_client import LspClient, LspError
from tests.support.model_server import ModelServer, calls, text, tool
from tests.support.model_server.replies import ToolCall

PROMISED_SECONDS = 0.1
BLOCK = "x" * 50_000
HOSTILE_SERVER = Path(__file__).resolve().parents[1] / "tools" / "hostile_mcp_server.py"
COMMANDS = {
    "a command's memory": "b = []\nwhile True: b.append(bytearray(50_000_000))",
    "a command's disk": "f = open('big', 'wb')\nwhile True: f.write(bytes(10_000_000))",
    "a command's processes": "import os\nwhile True: os.fork()",
}
Attack = Callable[[LspClient], Awaitable[None]]


@asynccontextmanager
async def served(config: str, directory: Path) -> AsyncGenerator[LspClient]:
    workspace = directory / "workspace"
    workspace.mkdir(exist_ok=True)
    (workspace / "long.txt").write_text("a" * 5_000 + "!\n", encoding="utf-8")
    (directory / "config.yaml").write_text(config, encoding="utf-8")
    own = {
        "TEAMWRIGHT_STATE_DIR": str(directory / "state"),
        "TEAMWRIGHT_CONFIG": str(directory / "config.yaml"),
        "SCRIPTED_KEY": "sk-scripted",
    }
    client = await LspClient.spawn(env=own, cwd=str(workspace))
    try:
        await client.initialize(workspace.as_uri(), trusted=True)
        # The first question opens the store.
        await client.command("teamwright.session.list", limit=1)
        yield client
    finally:
        await client.kill()


async def longest(client: LspClient, during: Awaitable[None]) -> tuple[float, int]:
    """The longest time that anybody waited, and how often it was asked."""
    work = asyncio.ensure_future(during)
    waited = list[float]()
    while not work.done():
        begun = perf_counter()
        await client.command("teamwright.session.list", limit=1)
        waited.append(perf_counter() - begun)
        await asyncio.sleep(0.005)
    await work
    return max(waited, default=0.0), len(waited)


async def turn(client: LspClient) -> None:
    chat = await client.command("teamwright.chat", text="Go on.")
    await client.event("turn.finished", lambda record: record["turnId"] == chat["turnId"])


async def run_of_commands(client: LspClient) -> None:
    run = await client.command(
        "teamwright.launch_run", task="Run it.", agentMode="single", refinement=False,
        contextPaths=[{"path": ".", "permission": "write"}],
    )  # fmt: skip
    card = await client.event("decision.requested", lambda record: record["runId"] == run["runId"])
    decision = card["event"]["decision"]["decisionId"]
    await client.command("teamwright.approve", decisionId=decision, choice="approve", edits={"allowCommands": True})
    await client.event("run.finished", lambda record: record["runId"] == run["runId"])


async def odd_server(client: LspClient) -> None:
    chat = await client.command("teamwright.chat", text="Call it.")
    asked = await client.event("decision.requested")
    decision = asked["event"]["decision"]["decisionId"]
    await client.command("teamwright.approve", decisionId=decision, choice="approve")
    await client.event("turn.finished", lambda record: record["turnId"] == chat["turnId"])


async def absurd_numbers(client: LspClient) -> None:
    for number in (1e12, 10**30, -1, 1e308):
        try:
            await client.command("teamwright.launch_run", task="x", budget={"seconds": number, "tokens": number})
        except LspError:
            continue


def called(number: int, arguments: str) -> dict[str, Any]:
    return {"index": number, "id": f"call_{number}", "function": {"name": "list_files", "arguments": arguments}}


def delta(**said: Any) -> bytes:
    data = {"choices": [{"index": 0, "delta": said, "finish_reason": None}]}
    return b"data: " + json.dumps(data).encode() + b"\n\n"


async def flooded(piece: bytes) -> tuple[float, int]:
    async with endless(STREAM, b"", lambda _: piece) as server:
        with TemporaryDirectory() as directory:
            async with served(team_config(server, "alpha"), Path(directory)) as client:
                return await longest(client, turn(client))


async def scripted(attack: Attack, *said: ToolCall, extra: str = "") -> tuple[float, int]:
    with ModelServer() as models, TemporaryDirectory() as directory:
        models.model("alpha").replies(*([calls(*said)] if said else []), *([text("Done.")] if said else []))
        async with served(team_config(models, "alpha", extra=extra), Path(directory)) as client:
            return await longest(client, attack(client))


async def at_rest(_: LspClient) -> None:
    await asyncio.sleep(1)


def mcp_config() -> str:
    program = json.dumps([str(HOSTILE_SERVER), "result"])
    return (
        f"mcp_servers: [{{name: odd, type: stdio, command: {json.dumps(sys.executable)}, args: {program},"
        " env: {HOSTILE_TOKEN: '${SCRIPTED_KEY}'}}]\n"
    )


async def measured() -> dict[str, tuple[float, int]]:
    found = {
        "at rest": await scripted(at_rest),
        "arguments without end": await flooded(delta(tool_calls=[called(0, BLOCK)])),
        "10,000 calls in an answer": await flooded(delta(tool_calls=[called(each, "{}") for each in range(10_000)])),
        "a message without end of an MCP server": await scripted(odd_server, tool("odd__fine"), extra=mcp_config()),
        "a catastrophic pattern": await scripted(turn, tool("search_files", pattern=r"(a|a)*$|(a+)+$")),
        "absurd numbers": await scripted(absurd_numbers),
    }
    for name, script in COMMANDS.items():
        found[name] = await scripted(run_of_commands, tool("run_command", argv=["python3", "-c", script]))
    return found


def main() -> bool:
    found = asyncio.run(measured())
    rest = found["at rest"][0]
    print(f"longest wait for an answer while (load {os.getloadavg()[0]:.1f}):")
    for name, (seconds, asked) in found.items():
        print(f"  {name:40} {seconds * 1000:7.1f} ms of {asked} questions")
    return all(seconds <= PROMISED_SECONDS + rest for seconds, _ in found.values())


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
