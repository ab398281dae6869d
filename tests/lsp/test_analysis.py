"""What can be learned from a run, through the real server: by the card's button, the assistant's tool, as a report."""

import json
from typing import Any

import pytest

from tests.lsp.test_transcript import opened
from tests.runtime.lines import TEAM, each_answers_once, gives, votes
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, calls, never_answers, text, tool

pytestmark = pytest.mark.asyncio

SAME = "Close the file in a finally block, so that nothing keeps it open."


async def over(client: LspClient, **params: Any) -> Json:
    spec = {"task": "Say it.", "approval": "given", "coordinationOverrides": {"override": "off"}, **params}
    run = await client.command("teamwright.launch_run", **spec)
    await client.event("run.finished", lambda record: record["runId"] == run["runId"])
    return run


def all_agree(models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(gives(SAME), votes("agent2"))
    models.model("beta").replies(text(SAME))


def parts_of(entry: Json) -> dict[str, str]:
    return {part["part"]: part["text"] for part in entry["parts"] if "text" in part}


@pytest.mark.proves("C15")
async def test_a_finished_run_is_analysed_from_its_card_and_run_again_with_what_was_learned(
    serve: Serve, models: ModelServer
) -> None:
    all_agree(models)
    client = await serve(config=team_config(models, *TEAM), trusted=True, transcript=True)
    run = await over(client, context="With care.")
    screen = await opened(client, run["sessionId"])
    requests = len(models.requests)

    await screen.act("Analyse the run")
    await screen.until("analysis (done) Analysis of the run: 1 thing to know")
    (entry,) = screen.drawn.of_kind("analysis")
    assert len(models.requests) == requests, "no model is asked for it"
    (finding,) = [part["data"]["chips"] for part in entry["parts"] if part["part"] == "finding 1"]
    assert finding == [{"label": "All agents came to nearly the same answer", "tone": "warn"}]
    parts = parts_of(entry)
    assert parts["evidence 1"].splitlines()[0] == "alpha and beta gave the same answer, word for word."
    assert parts["recommended"] == "Let beta do it alone. The agents came to the same answer."
    (picture,) = [part for part in entry["parts"] if part["kind"] == "timeline"]
    assert [lane["label"] for lane in picture["data"]["lanes"]] == list(TEAM)
    assert [mark["sign"] for mark in picture["data"]["lanes"][1]["marks"]] == ["A", "V", "W"]

    models.model("beta").replies(text("Done alone."))
    await screen.act("Run again with these")
    await screen.until("decision (waiting) Run: Say it.")
    await screen.act("Approve")
    again = await client.event("run.finished", lambda record: record["runId"] != run["runId"])
    assert again["event"]["result"]["text"] == "Done alone."
    started = await client.event("run.started", lambda record: record["runId"] == again["runId"])
    spec = started["event"]["spec"]
    assert (spec["agents"], spec["agentMode"], spec["refinement"]) == (["beta"], "single", False)
    assert (spec["task"], spec["context"], again["sessionId"]) == ("Say it.", "With care.", run["sessionId"])


@pytest.mark.proves("C15")
async def test_a_model_gives_a_second_opinion_that_stays_and_is_paid_for(serve: Serve, models: ModelServer) -> None:
    all_agree(models)
    config = team_config(models, *TEAM)
    client = await serve(config=config, trusted=True, transcript=True)
    run = await over(client)
    before = (await client.command("teamwright.session.stats", sessionId=run["sessionId"]))["usage"]["calls"]
    models.model("alpha").replies(text("They were **one mind**."))
    screen = await opened(client, run["sessionId"])
    await screen.act("Analyse the run")
    await screen.until("analysis (done)")
    await screen.act("Ask for a second opinion")
    await screen.until("They were **one mind**.")
    asked = models.requests[-1]
    assert SAME in asked.text
    assert "All agents came to nearly the same answer" in asked.text
    stats = await client.command("teamwright.session.stats", sessionId=run["sessionId"])
    assert stats["usage"]["calls"] == before + 1

    again = await opened(client, run["sessionId"])
    (entry,) = again.drawn.of_kind("analysis")
    assert parts_of(entry)["opinion"] == "They were **one mind**."
    assert "Ask for a second opinion" not in [action["label"] for action in entry["actions"]]
    report = await client.command("teamwright.run.report", runId=run["runId"])
    assert "They were **one mind**." in report["text"]


@pytest.mark.proves("C15")
async def test_the_assistant_analyses_a_run_when_it_is_asked_to(serve: Serve, models: ModelServer) -> None:
    all_agree(models)
    client = await serve(config=team_config(models, *TEAM), trusted=True)
    run = await over(client)
    models.model("alpha").replies(calls(tool("analyze_run", run_id=run["runId"])), text("One agent would do."))
    turn = await client.command("teamwright.chat", text="Was the team worth it?", sessionId=run["sessionId"])
    await client.event("turn.finished", lambda record: record["turnId"] == turn["turnId"])
    (result,) = models.requests[-1].tool_results
    assert "**All agents came to nearly the same answer**" in result.text
    settings = json.loads(result.text.rpartition("Settings for another run: ")[2])
    assert settings == {"agent_mode": "single", "agents": ["beta"], "refinement": False}


@pytest.mark.proves("C15")
async def test_a_report_can_be_handed_on_and_the_team_is_known_across_its_runs(
    serve: Serve, models: ModelServer
) -> None:
    for name in TEAM:
        models.model(name).replies(gives(f"<script>{name}</script> sk-abcdefghijklmnop"), votes("agent2"))
    models.model("beta").replies(text("The <b>end</b>."))
    client = await serve(config=team_config(models, *TEAM), trusted=True)
    run = await over(client)
    report = await client.command("teamwright.run.report", runId=run["runId"])
    assert report["name"].endswith(".html")
    assert "<script" not in report["text"]
    assert "&lt;script&gt;alpha&lt;/script&gt;" in report["text"]
    assert "The &lt;b&gt;end&lt;/b&gt;." in report["text"]
    assert "sk-abcdefghijklmnop" not in report["text"]
    whole = await client.command("teamwright.run.report", runId=run["runId"], format="markdown", mask=False)
    assert "sk-abcdefghijklmnop" in whole["text"]
    assert len(whole["warnings"]) == 1

    each_answers_once(models)
    await over(client)
    stats = await client.command("teamwright.stats")
    assert stats["runs"] == 2
    assert [(each["agentId"], each["runs"], each["won"], each["votesForWinner"]) for each in stats["agents"]] == [
        ("beta", 2, 2, 2),
        ("alpha", 2, 0, 2),
        ("gamma", 2, 0, 2),
    ]
    assert stats["text"].startswith("# The team in 2 runs\n\n| Agent | Runs | Won |")


async def test_what_is_not_over_or_not_there_is_not_analysed(serve: Serve, models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).always(never_answers())
    client = await serve(config=team_config(models, *TEAM), trusted=True)
    run = await client.command("teamwright.launch_run", task="Say it.", approval="given")
    for command in ("analyze", "report"):
        with pytest.raises(LspError, match="still at work") as refused:
            await client.command(f"teamwright.run.{command}", runId=run["runId"])
        assert refused.value.code == 409
        with pytest.raises(LspError) as unknown:
            await client.command(f"teamwright.run.{command}", runId="run_none")
        assert unknown.value.code == 404
    await client.command("teamwright.cancel", runId=run["runId"])
    await client.event("run.finished")
