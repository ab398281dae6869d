"""The tools that the user's configuration gives to agents, through the real server."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
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
    await client.command("quorate.launch_run", task="Add.", agentMode="single", approval="given")
    finished = (await client.event("run.finished"))["event"]
    assert finished["result"]["text"] == "It is 42."
    (result,) = models.requests[1].tool_results
    assert "42" in result.text
