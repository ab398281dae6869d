"""`teamwright.status`: how things stand, at once and for nothing."""

import asyncio

import pytest

from teamwright import __version__
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, never_answers, text
from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs.installation import Programs


async def healths(client: LspClient) -> list[Json]:
    """What is known once every backend has been looked at: each reading waits a moment for that."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            agents = (await client.command("teamwright.status"))["agents"]
            if all("latencyMs" in agent or "detail" in agent for agent in agents):
                return agents


@pytest.mark.asyncio
@pytest.mark.proves("F3")
async def test_status_says_what_is_in_force_without_waiting_for_anyone(serve: Serve, models: ModelServer) -> None:
    models.listing.replies(never_answers())
    extra = "orchestrator: {interactive_mode: {autonomy: autonomous, max_steps: 7}}\n"
    client = await serve(config=team_config(models, "alpha", extra=extra), trusted=True)

    assert await client.command("teamwright.status") == {
        "agents": [
            {
                "agentId": "alpha",
                "backend": models.openai_url.removeprefix("http://").removesuffix("/v1"),
                "model": "alpha",
                "health": "unknown",
            }
        ],
        "modes": {
            "plan": None,
            "agentMode": None,
            "agentId": None,
            "refinement": None,
            "autonomy": "autonomous",
            "team": "auto",
        },
        "limits": {"maxActiveSessions": 5, "activeSessions": 0, "idleMinutes": 30.0, "maxSteps": 7},
        "costUsd": 0.0,
        "decisions": [],
        "trusted": True,
        "versions": {"server": __version__, "protocol": 1},
    }


@pytest.mark.asyncio
@pytest.mark.proves("F3")
async def test_status_tells_who_would_answer_and_asks_no_model(serve: Serve, models: ModelServer) -> None:
    models.model("alpha")
    config = team_config(models, "alpha", "unlisted")
    gone = team_config(models, "gone").replace(models.openai_url, f"{models.refusing_url}/v1")
    client = await serve(config=config + gone.removeprefix("agents:\n"))

    alpha, unlisted, gone = await healths(client)

    assert (alpha["health"], alpha["latencyMs"] > 0) == ("ok", True)
    assert (unlisted["health"], "check --probe" in unlisted["detail"]) == ("unknown", True)
    assert (gone["health"], bool(gone["detail"])) == ("unreachable", True)
    assert {request.method for request in models.requests} == {"GET"}


@pytest.mark.asyncio
@pytest.mark.proves("F3")
async def test_status_says_what_to_do_about_a_refused_key(serve: Serve, models: ModelServer) -> None:
    models.requires_key("sk-another")
    client = await serve(config=team_config(models, "alpha"))

    (alpha,) = await healths(client)

    assert alpha["health"] == "misconfigured"
    assert "SCRIPTED_KEY" in alpha["detail"]
    assert "sk-scripted" not in str(alpha)


@pytest.mark.asyncio
@pytest.mark.proves("F2", "F3")
async def test_status_looks_for_programs_without_asking_them_anything(serve: Serve, programs: Programs) -> None:
    programs.install("claude")
    client = await serve(config="agents: [{backend: {type: claude_code}}, {backend: {type: gemini_cli}}]\n")

    claude, gemini = await healths(client)

    assert (claude["backend"], claude["health"], claude["detail"]) == ("Claude Code", "ok", "2.1.232")
    assert (gemini["health"], "is not on the PATH" in gemini["detail"]) == ("misconfigured", True)


@pytest.mark.asyncio
@pytest.mark.proves("D6")
async def test_status_has_the_open_decisions_of_sessions_that_nobody_has_opened(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(text("Done."))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    done = await first.command("teamwright.launch_run", task="Do this.", agentMode="single")
    await first.command("teamwright.approve", decisionId=done["decisionId"], choice="approve")
    await first.event("run.finished")
    launched = await first.command("teamwright.launch_run", task="Do that.", agentMode="single")
    waiting = (await first.event("decision.requested", lambda r: r["sessionId"] != done["sessionId"]))["event"]
    await first.kill()

    second = await serve(config=config)

    assert (await second.command("teamwright.status"))["decisions"] == [
        {**waiting["decision"], "sessionId": launched["sessionId"], "runId": launched["runId"]}
    ]
    await second.command("teamwright.approve", decisionId=waiting["decision"]["decisionId"], choice="cancel")
    assert (await second.command("teamwright.status"))["decisions"] == []


@pytest.mark.asyncio
@pytest.mark.proves("C14")
async def test_status_counts_the_sessions_at_work_and_what_they_cost(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("alpha thinks")
    models.model("alpha").replies(text("Four.").waits_for(gate))
    price = "price: {input_per_mtok: 1000, output_per_mtok: 1000}, model:"
    client = await serve(config=team_config(models, "alpha").replace("model:", price))
    await client.command("teamwright.chat", text="What is two and two?")
    await gate.reached()
    at_work = await client.command("teamwright.status")
    gate.release()
    finished = await client.event("turn.finished")
    at_rest = await client.command("teamwright.status")

    assert (at_work["limits"]["activeSessions"], at_rest["limits"]["activeSessions"]) == (1, 0)
    assert at_rest["costUsd"] == finished["event"]["costUsd"] > 0
