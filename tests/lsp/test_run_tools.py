"""The tools that the user's configuration gives to agents, through the real server."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import LspClient
from tests.support.model_server import ModelServer, calls, text, tool

MCP = f"""\
mcp_servers:
  - name: small
    type: stdio
    command: {json.dumps(sys.executable)}
    args: ["-m", "tests.tools.mcp_server"]
    env: {{PYTHONPATH: {json.dumps(str(Path(__file__).resolve().parents[2]))}}}
"""


@pytest.mark.asyncio
async def test_an_agent_uses_a_tool_of_a_configured_mcp_server(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(calls(tool("small__add", first=20, second=22)), text("It is 42."))
    client = await serve(config=team_config(models, "alpha", extra=MCP))
    await client.command("teamwright.launch_run", task="Add.", agentMode="single", approval="given")
    asked = (await client.event("decision.requested"))["event"]["decision"]
    await client.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    finished = (await client.event("run.finished"))["event"]
    assert finished["result"]["text"] == "It is 42."
    (result,) = models.requests[1].tool_results
    assert "42" in result.text


WRITES = "import pathlib; pathlib.Path('made.txt').write_text('by a command'); print(6 * 7)"


def runs_a_command(models: ModelServer) -> None:
    models.model("alpha").replies(calls(tool("run_command", argv=["python3", "-c", WRITES])), text("It says 42."))


async def run_of_one(client: LspClient, **edits: object) -> None:
    """A person changes the card and approves it."""
    await client.command("teamwright.launch_run", task="Compute.", agentMode="single", refinement=False)
    asked = (await client.event("decision.requested"))["event"]["decision"]
    await client.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve", edits=edits)
    await client.event("run.finished")


@pytest.mark.asyncio
async def test_a_tick_lets_agents_run_commands_in_their_copies_for_this_run_alone(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    runs_a_command(models)
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    paths = [{"path": ".", "permission": "read"}]
    await run_of_one(client, allowCommands=True, contextPaths=paths)
    (result,) = models.requests[1].tool_results
    assert result.text.splitlines()[:2] == ["exit code 0", "42"]
    assert not (workspace / "made.txt").exists()
    # Nobody was asked about the command, and the next run has none.
    kinds = [r["event"]["decision"]["kind"] for r in client.events if r["event"]["type"] == "decision.requested"]
    assert kinds == ["run"]
    models.model("alpha").replies(text("Without."))
    client.events.clear()
    await run_of_one(client, contextPaths=paths)
    assert ["run_command" in request.tool_names for request in models.requests] == [True, True, False]


@pytest.mark.asyncio
async def test_a_tick_lets_nothing_run_in_a_workspace_that_is_not_trusted(serve: Serve, models: ModelServer) -> None:
    runs_a_command(models)
    client = await serve(config=team_config(models, "alpha"))
    await run_of_one(client, allowCommands=True)
    assert all("run_command" not in request.tool_names for request in models.requests)
    (result,) = models.requests[1].tool_results
    assert result.text.startswith("Error: There is no tool 'run_command'.")
