"""MCP servers without measure, through the real server: what they send is bounded while it is read."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio

PROGRAM = Path(__file__).resolve().parents[1] / "tools" / "hostile_mcp_server.py"


def hostile(mode: str) -> str:
    return (
        "mcp_servers:\n"
        f"  - {{name: odd, type: stdio, command: {json.dumps(sys.executable)}, "
        f"args: [{json.dumps(str(PROGRAM))}, {mode}],"
        " env: {HOSTILE_TOKEN: '${SCRIPTED_KEY}'}}\n"
    )


@pytest.mark.parametrize(
    ("mode", "arguments", "says"),
    [
        ("result", {}, "sent a message of more than 4000000 bytes"),
        ("pattern", {"text": "a" * 40 + "!"}, "Done."),
        ("doubling", {"text": "a"}, "Done."),
    ],
)
async def test_a_call_of_a_server_without_measure_comes_to_an_end(
    serve: Serve, models: ModelServer, mode: str, arguments: dict[str, str], says: str
) -> None:
    models.model("alpha").replies(calls(tool("odd__fine", **arguments)), text("So be it."))
    client = await serve(config=team_config(models, "alpha", extra=hostile(mode)))
    await client.command("teamwright.launch_run", task="Call it.", agentMode="single", approval="given")
    asked = (await client.event("decision.requested"))["event"]["decision"]
    await client.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    assert (await client.event("run.finished"))["event"]["result"]["text"] == "So be it."
    (result,) = models.requests[1].tool_results
    assert says in result.text


@pytest.mark.parametrize(
    ("mode", "offered", "says"),
    [
        ("many", 128, "lists more than 128 tools; the others are not offered"),
        ("deep", 1, "lists a tool that is described beyond all measure and not offered"),
        ("large", 1, "lists a tool that is described beyond all measure and not offered"),
        ("list", 0, "sent a message of more than 4000000 bytes"),
    ],
)
async def test_of_a_list_without_measure_as_much_is_offered_as_models_can_bear(
    serve: Serve, models: ModelServer, mode: str, offered: int, says: str
) -> None:
    models.model("alpha").replies(text("Nothing to call."))
    client = await serve(config=team_config(models, "alpha", extra=hostile(mode)))
    await client.command("teamwright.launch_run", task="Look.", agentMode="single", approval="given")
    await client.event("run.finished")
    names = [name for name in models.requests[0].tool_names if name.startswith("odd__")]
    told = [record["event"]["text"] for record in client.events if record["event"]["type"] == "notice.raised"]
    assert (len(names), any(says in each for each in told)) == (offered, True), told
