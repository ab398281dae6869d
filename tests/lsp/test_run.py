"""Runs through the real server: the team answers, votes and presents, and a person has the last word."""

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text, tool

TEAM = ("alpha", "beta", "gamma")


def scripted_team(models: ModelServer, *, favourite: str = "agent2") -> None:
    """Each answers once, all vote for the same, the winner presents."""
    for name in TEAM:
        models.model(name).replies(
            calls(tool("new_answer", content=f"The answer of {name}.")),
            calls(tool("vote", agent_id=favourite, reason="It is complete.")),
        )


async def result_of(client: LspClient) -> Json:
    return (await client.event("run.finished"))["event"]


@pytest.mark.asyncio
@pytest.mark.proves("C1", "C5")
async def test_three_agents_answer_vote_and_present_in_seven_calls(serve: Serve, models: ModelServer) -> None:
    scripted_team(models)
    models.model("beta").replies(text("The final answer."))
    client = await serve(config=team_config(models, *TEAM))

    run = await client.command(
        "quorate.launch_run", task="Say it.", approval="given", coordinationOverrides={"override": "off"}
    )
    finished = await result_of(client)

    assert finished["outcome"] == "completed"
    assert finished["result"] == {"text": "The final answer.", "agentId": "beta", "strategy": "winner_present"}
    assert len(models.requests) == 7
    winner = await client.event("winner.selected")
    assert (winner["runId"], winner["agentId"], winner["event"]["tally"]) == (run["runId"], "beta", {"beta": 3})
    assert finished["usage"]["calls"] == 7


@pytest.mark.asyncio
@pytest.mark.proves("C4")
async def test_a_single_agent_without_refinement_just_answers(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."))
    client = await serve(config=team_config(models, *TEAM))
    await client.command("quorate.launch_run", task="Do it.", agentMode="single", approval="given")
    finished = await result_of(client)
    assert (finished["outcome"], finished["result"]["text"]) == ("completed", "Done.")
    assert not {"new_answer", "vote"} & set(models.requests[0].tool_names)


@pytest.mark.asyncio
@pytest.mark.proves("D1")
async def test_an_edited_approval_changes_what_runs(serve: Serve, models: ModelServer) -> None:
    models.model("beta").replies(text("Beta alone."))
    client = await serve(config=team_config(models, *TEAM))
    run = await client.command("quorate.launch_run", task="Do it.")
    asked = await client.event("decision.requested")
    assert asked["event"]["decision"]["kind"] == "run"
    assert asked["event"]["decision"]["detail"]["spec"]["agents"] == list(TEAM)

    await client.command(
        "quorate.approve",
        decisionId=run["decisionId"],
        choice="approve",
        edits={"agents": ["beta"], "agentMode": "single"},
    )
    started = await client.event("run.started")
    assert started["event"]["spec"]["agents"] == ["beta"]
    assert (await result_of(client))["result"]["text"] == "Beta alone."
