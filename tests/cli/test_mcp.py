"""`teamwright mcp`, through the official SDK's own client: described, confirmed, answered, looked up, cancelled."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent

from tests.cli.conftest import Cli
from tests.cli.teams import TEAM, alone, scripted_team, write_team
from tests.runtime.lines import plans
from tests.support.model_server import ModelServer, calls, fails, text, tool


@asynccontextmanager
async def mcp_client(cli: Cli, *options: str) -> AsyncGenerator[Client]:
    program = StdioServerParameters(
        command=sys.executable,
        args=["-m", "teamwright", "mcp", "--config", str(cli.home / "team.yaml"), *options],
        env=cli.environ,
        cwd=cli.home,
    )
    async with Client(stdio_client(program)) as client:
        yield client


def said(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def data(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, said(result)
    return cast("dict[str, Any]", result.structured_content)


async def call(client: Client, name: str, **arguments: object) -> CallToolResult:
    return await client.call_tool(name, arguments)


@pytest.mark.proves("C17")
@pytest.mark.asyncio
async def test_launch_run_is_offered_with_its_full_schema(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    async with mcp_client(cli) as client:
        listed = {each.name: each for each in (await client.list_tools()).tools}
    assert set(listed) == {"launch_run", "respond", "get_run", "list_runs", "cancel_run"}
    assert set(listed["launch_run"].input_schema["properties"]) >= {
        "task",
        "context",
        "agent_mode",
        "agents",
        "refinement",
        "planning_mode",
        "execute_after_planning",
        "context_paths",
        "agent_system_prompts",
        "coordination_overrides",
        "budget",
    }


@pytest.mark.proves("C17")
@pytest.mark.asyncio
async def test_a_run_is_described_first_and_starts_by_a_second_call(cli: Cli, models: ModelServer) -> None:
    scripted_team(models, final="The final answer.")
    write_team(cli, models)
    told: list[str] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        del progress, total
        told.append(message or "")

    async with mcp_client(cli) as client:
        described = await call(client, "launch_run", task="Say it.")
        assert models.requests == []
        assert "Task: Say it.\nAgents: alpha, beta, gamma (multi, with refinement)" in said(described)
        decision = data(described)["decision"]
        finished = await client.call_tool(
            "respond", {"decision_id": decision["decisionId"], "choice": "approve"}, progress_callback=on_progress
        )
        looked_up = await call(client, "get_run", run_id=data(described)["runId"])
        listed = await call(client, "list_runs")

    assert said(finished).endswith("The final answer.")
    assert data(finished)["result"]["text"] == "The final answer."
    assert sorted(answer["content"] for answer in data(looked_up)["answers"]) == [
        f"The answer of {name}." for name in TEAM
    ]
    assert [run["task"] for run in data(listed)["runs"]] == ["Say it."]
    assert any("have answered" in message for message in told)


@pytest.mark.asyncio
async def test_a_run_that_is_not_wanted_never_starts(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    async with mcp_client(cli) as client:
        decision = data(await call(client, "launch_run", task="Say it."))["decision"]
        refused = await call(client, "respond", decision_id=decision["decisionId"], choice="cancel")
        again = await call(client, "respond", decision_id=decision["decisionId"], choice="approve")
    assert data(refused)["run"]["outcome"] == "cancelled"
    assert again.is_error
    assert models.requests == []


@pytest.mark.asyncio
async def test_the_configuration_can_let_runs_start_by_themselves(cli: Cli, models: ModelServer) -> None:
    alone(models, "Alpha alone.")
    write_team(cli, models, "alpha", extra="orchestrator: {interactive_mode: {require_approval: false}}\n")
    async with mcp_client(cli, "--trusted") as client:
        finished = await call(client, "launch_run", task="Say it.", agent_mode="single")
    assert data(finished)["result"]["text"] == "Alpha alone."


@pytest.mark.asyncio
async def test_a_question_of_an_agent_comes_back_and_its_answer_goes_on(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(
        calls(tool("request_input", question="Tabs or spaces?", choices=["tabs", "spaces"])), text("Spaces it is.")
    )
    write_team(cli, models, "alpha", extra="orchestrator: {interactive_mode: {require_approval: false}}\n")
    async with mcp_client(cli, "--trusted") as client:
        asked = await call(client, "launch_run", task="Format it.", agent_mode="single")
        assert "Tabs or spaces?\n- tabs\n- spaces" in said(asked)
        decision = data(asked)["decision"]
        finished = await call(client, "respond", decision_id=decision["decisionId"], text="spaces")
    assert data(finished)["result"]["text"] == "Spaces it is."
    assert "spaces" in str(models.requests[-1].body)


@pytest.mark.asyncio
async def test_mistakes_are_told_in_a_sentence_each(cli: Cli, models: ModelServer) -> None:
    write_team(cli, models)
    async with mcp_client(cli) as client:
        faults = [
            await call(client, "launch_run", task="Say it.", agentz=["alpha"]),
            await call(client, "launch_run", task="Say it.", agents=["nobody"]),
            await call(client, "get_run", run_id="run_none"),
            await call(client, "respond", decision_id="dec_none", choice="approve"),
            await call(client, "respond", decision_id="dec_none"),
            await call(client, "no_such_tool"),
        ]
    assert [fault.is_error for fault in faults] == [True] * len(faults)
    assert said(faults[0]) == "agentz: unknown key, did you mean 'agents'?"
    assert "nobody" in said(faults[1])


@pytest.mark.asyncio
async def test_a_run_whose_provider_fails_ends_with_the_reason(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(fails(401))
    write_team(cli, models, "alpha", extra="orchestrator: {interactive_mode: {require_approval: false}}\n")
    async with mcp_client(cli, "--trusted") as client:
        finished = await call(client, "launch_run", task="Say it.", agent_mode="single")
    assert data(finished)["run"]["outcome"] == "failed"
    assert "SCRIPTED_KEY" in said(finished)


@pytest.mark.asyncio
@pytest.mark.proves("C17", "C6")
async def test_a_plan_that_is_carried_out_is_told_with_what_came_of_it(cli: Cli, models: ModelServer) -> None:
    models.model("alpha").replies(plans("Cross the river", "Look", "Leap"), text("Across."))
    write_team(cli, models, "alpha", extra="orchestrator: {interactive_mode: {require_approval: false}}\n")
    async with mcp_client(cli, "--trusted") as client:
        asked = await call(client, "launch_run", task="Cross.", agent_mode="single", planning_mode=True)
        decision = data(asked)["decision"]
        finished = await call(
            client, "respond", decision_id=decision["decisionId"], choice="approve", edits={"tasks": ["1"]}
        )
    assert "Across.\n\nThe plan was carried out.\nLeft for later: Leap.\nSpent on the plan: " in said(finished)
    assert (data(finished)["execution"]["outcome"], data(finished)["run"]["outcome"]) == ("completed", "completed")
