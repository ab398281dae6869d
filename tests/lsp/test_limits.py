"""How many sessions are at work at once, and what becomes of those that nobody uses."""

from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, never_answers, text
from tests.support.session_locks import until_unlocked

pytestmark = pytest.mark.asyncio


async def finished(client: LspClient, chat: Json) -> Json:
    return (await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"]))["event"]


@pytest.mark.proves("D4")
async def test_the_sixth_session_at_work_is_refused_and_waiting_ones_do_not_count(
    serve: Serve, models: ModelServer
) -> None:
    client = await serve(config=team_config(models, "alpha"))
    models.model("alpha").replies(text("Hello."), *[never_answers()] * 5)
    idle = await client.command("teamwright.chat", text="I am done soon.")
    await finished(client, idle)
    waiting = await client.command("teamwright.launch_run", task="Wait for me.", agentMode="single")
    at_work = [await client.command("teamwright.chat", text=f"Think {n}.") for n in range(5)]

    for name, params in {
        "teamwright.chat": {"text": "One more."},
        "teamwright.launch_run": {"task": "One more."},
    }.items():
        with pytest.raises(LspError) as refused:
            await client.command(name, **params)
        assert (refused.value.code, refused.value.data) == (429, {"limit": 5})
    with pytest.raises(LspError) as refused:
        await client.command("teamwright.chat", text="Go on.", sessionId=idle["sessionId"])
    assert refused.value.code == 429
    assert len((await client.command("teamwright.session.list"))["sessions"]) == 7, "what is refused leaves no session"
    asked = await client.command("teamwright.launch_run", task="Ask me first.", agentMode="single", approval="ask")
    assert asked["decisionId"], "what only asks is not at work"
    await client.command("teamwright.chat", text="More.", sessionId=at_work[0]["sessionId"])

    # What waited for a person is not refused: it goes on when there is room.
    models.model("alpha").replies(text("Done."))
    await client.command("teamwright.approve", decisionId=waiting["decisionId"], choice="approve")
    (run,) = (await client.command("teamwright.run.list", sessionId=waiting["sessionId"]))["runs"]
    assert run["phase"] == "queued"
    assert (await client.command("teamwright.status"))["limits"]["activeSessions"] == 5
    await client.command("teamwright.cancel", turnId=at_work[1]["turnId"])
    await finished(client, at_work[1])
    assert (await client.event("run.finished"))["event"]["result"]["text"] == "Done."


@pytest.mark.proves("D5")
async def test_a_session_that_nobody_uses_is_put_away_and_nothing_of_it_is_lost(
    serve: Serve, models: ModelServer, tmp_path: Path
) -> None:
    models.model("alpha").replies(text("Four."), text("Yes."))
    config = team_config(models, "alpha", extra="orchestrator: {interactive_mode: {idle_minutes: 0.02}}\n")
    client = await serve(config=config)
    first = await client.command("teamwright.chat", text="What is two and two?")
    await finished(client, first)
    # The session's lock is free as soon as it is put away.
    await until_unlocked(tmp_path / "state")

    second = await client.command("teamwright.chat", text="Is it even?", sessionId=first["sessionId"])
    await finished(client, second)
    assert models.requests[1].messages[:2] == [("user", "What is two and two?"), ("assistant", "Four.")]
    counted = [record["seq"] for record in client.events if record["seq"] is not None]
    assert counted == list(range(1, len(counted) + 1)), "who listened before goes on listening"


@pytest.mark.proves("D5", "D1")
async def test_a_session_that_waits_for_a_person_stays_at_hand(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Four."), text("Done."))
    config = team_config(models, "alpha", extra="orchestrator: {interactive_mode: {idle_minutes: 0.001}}\n")
    client = await serve(config=config)
    run = await client.command("teamwright.launch_run", task="Do it.", agentMode="single")
    # Another session lives and goes meanwhile, many times longer than a session may be idle.
    await finished(client, await client.command("teamwright.chat", text="What is two and two?"))
    await client.command("teamwright.approve", decisionId=run["decisionId"], choice="approve")
    finished_run = await client.event("run.finished")
    assert finished_run["event"]["result"]["text"] == "Done."


@pytest.mark.proves("D5")
async def test_a_session_is_not_put_away_from_under_a_command(serve: Serve, models: ModelServer) -> None:
    """Each command takes many times longer than a session may be idle."""
    models.model("alpha").always(text("Done."))
    config = team_config(models, "alpha", extra="orchestrator: {interactive_mode: {idle_minutes: 0.00001}}\n")
    client = await serve(config=config)
    for _ in range(5):
        launched = await client.command("teamwright.launch_run", task="Do it.", agentMode="single", approval="given")
        ended = await client.event("run.finished", lambda r, run=launched["runId"]: r["runId"] == run)
        assert ended["event"]["outcome"] == "completed"
