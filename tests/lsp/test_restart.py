"""What a restart of the server leaves as it was: the history, the open questions, the work."""

import pytest

from tests.support.doors import Serve, team_config
from tests.support.model_server import ModelServer, calls, text, tool


@pytest.mark.asyncio
@pytest.mark.proves("A6")
async def test_a_conversation_goes_on_after_a_restart(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Four."), text("Yes."))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="What is two and two?")
    await first.event("turn.finished")
    await first.kill()

    second = await serve(config=config)
    (listed,) = (await second.command("teamwright.session.list"))["sessions"]
    assert (listed["sessionId"], listed["title"]) == (chat["sessionId"], "What is two and two?")
    opened = await second.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0)
    assert [item["text"] for item in opened["session"]["items"]] == ["What is two and two?", "Four."]
    heard = [record["event"] for record in first.events if record["seq"] is not None]
    kept = [record["event"] for record in opened["events"]]
    assert kept[: len(heard)] == heard
    # What was on disk and not yet on the wire when the server was killed.
    assert {event["type"] for event in kept[len(heard) :]} <= {"session.updated"}

    again = await second.command("teamwright.chat", text="Is it even?", sessionId=chat["sessionId"])
    await second.event("turn.finished", lambda r: r["turnId"] == again["turnId"])
    assert models.requests[1].messages[:2] == [("user", "What is two and two?"), ("assistant", "Four.")]


@pytest.mark.asyncio
@pytest.mark.proves("D1", "D6")
async def test_an_approval_survives_a_restart_and_its_answer_starts_the_run(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    run = await first.command("teamwright.launch_run", task="Do it.", agentMode="single")
    await first.event("decision.requested")
    await first.kill()

    second = await serve(config=config)
    opened = await second.command("teamwright.session.open", sessionId=run["sessionId"])
    assert [decision["decisionId"] for decision in opened["session"]["decisions"]] == [run["decisionId"]]
    await second.command("teamwright.approve", decisionId=run["decisionId"], choice="approve")
    finished = await second.event("run.finished")
    assert finished["event"]["result"]["text"] == "Done."


@pytest.mark.asyncio
@pytest.mark.proves("D6")
async def test_a_run_that_was_at_work_asks_whether_to_go_on(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("beta thinks")
    for name in ("alpha", "beta"):
        answer = calls(tool("new_answer", content=f"From {name}."))
        models.model(name).replies(answer.waits_for(gate) if name == "beta" else answer)
    config = team_config(models, "alpha", "beta")
    first = await serve(config=config)
    run = await first.command(
        "teamwright.launch_run", task="Do it.", approval="given", coordinationOverrides={"override": "off"}
    )
    await first.event("answer.submitted")
    await gate.reached()
    await first.kill()
    gate.release()
    before = len(models.requests)

    models.model("beta").replies(calls(tool("new_answer", content="From beta, again.")))
    for name in ("alpha", "beta"):
        models.model(name).replies(calls(tool("vote", agent_id="agent2", reason="Good.")))
    models.model("beta").replies(text("Presented."))
    second = await serve(config=config)
    opened = await second.command("teamwright.session.open", sessionId=run["sessionId"])
    (decision,) = opened["session"]["decisions"]
    assert (decision["kind"], decision["detail"]["what"]) == ("resume", "run")
    assert len(models.requests) == before, "nothing is spent before a yes"

    await second.command("teamwright.approve", decisionId=decision["decisionId"], choice="approve")
    finished = await second.event("run.finished")
    assert finished["event"]["result"]["text"] == "Presented."


@pytest.mark.asyncio
@pytest.mark.proves("C7", "D6")
async def test_an_override_window_opens_again_after_a_restart(serve: Serve, models: ModelServer) -> None:
    for name in ("alpha", "beta"):
        models.model(name).replies(
            calls(tool("new_answer", content=f"From {name}.")),
            calls(tool("vote", agent_id="agent2", reason="Good.")),
        )
    models.model("alpha").replies(text("Alpha presents."))
    config = team_config(models, "alpha", "beta")
    first = await serve(config=config)
    run = await first.command(
        "teamwright.launch_run", task="Do it.", approval="given", coordinationOverrides={"override": "ask"}
    )
    await first.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "override")
    await first.kill()

    second = await serve(config=config)
    await second.command("teamwright.session.open", sessionId=run["sessionId"])
    await second.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "override")
    await second.command("teamwright.override", runId=run["runId"], agentId="alpha")
    finished = await second.event("run.finished")
    assert (finished["event"]["result"]["text"], finished["event"]["result"]["agentId"]) == ("Alpha presents.", "alpha")
