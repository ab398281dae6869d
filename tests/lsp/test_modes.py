"""The switches of a session through the real server: who answers, with whom, and whether anybody is asked."""

import pytest

from tests.runtime.audit import audit
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, calls, never_answers, text, tool

pytestmark = pytest.mark.asyncio

OPEN_MODES: Json = {
    "plan": None,
    "agentMode": None,
    "agentId": None,
    "refinement": None,
    "autonomy": "hitl",
    "team": "auto",
}


async def finished(client: LspClient, chat: Json) -> Json:
    return (await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"]))["event"]


def items(client: LspClient, kind: str) -> list[Json]:
    ended = [r for r in client.events if r["event"]["type"] == "item.finished" and "runId" not in r]
    return [r["event"]["item"] for r in ended if r["event"]["item"]["kind"] == kind]


@pytest.mark.proves("E6", "C4")
async def test_modes_hold_for_one_session_and_outlive_the_server(serve: Serve, models: ModelServer) -> None:
    config = team_config(models, "alpha", "beta")
    models.model("alpha").always(text("Yes."))
    first = await serve(config=config)
    assert await first.command("teamwright.modes") == OPEN_MODES
    with pytest.raises(LspError) as refused:
        await first.command("teamwright.modes", refinement=False)
    assert (refused.value.code, refused.value.data["errors"][0]["path"]) == (400, "sessionId")

    chat = await first.command("teamwright.chat", text="Hello", modes={"plan": False, "refinement": False})
    await finished(first, chat)
    in_force = {**OPEN_MODES, "refinement": False, "plan": False}
    assert await first.command("teamwright.modes", sessionId=chat["sessionId"]) == in_force
    changed = await first.command(
        "teamwright.modes", sessionId=chat["sessionId"], agentMode="single", agentId="beta", refinement=None
    )
    assert changed == {**in_force, "agentMode": "single", "agentId": "beta", "refinement": None}
    with pytest.raises(LspError) as unknown:
        await first.command("teamwright.modes", sessionId=chat["sessionId"], agentId="betta")
    assert (unknown.value.code, unknown.value.data["errors"][0]["path"]) == (400, "agentId")
    await first.kill()

    second = await serve(config=config)
    opened = await second.command("teamwright.session.open", sessionId=chat["sessionId"])
    assert opened["session"]["modes"] == changed
    assert await second.command("teamwright.modes") == OPEN_MODES


@pytest.mark.proves("E6")
async def test_modes_are_locked_while_the_session_is_at_work(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(never_answers())
    client = await serve(config=team_config(models, "alpha"))
    chat = await client.command("teamwright.chat", text="Hello")
    with pytest.raises(LspError) as locked:
        await client.command("teamwright.modes", sessionId=chat["sessionId"], plan=True)
    assert locked.value.code == 409
    assert await client.command("teamwright.modes", sessionId=chat["sessionId"], team="auto") == OPEN_MODES
    await client.command("teamwright.cancel", turnId=chat["turnId"])
    await finished(client, chat)
    assert (await client.command("teamwright.modes", sessionId=chat["sessionId"], plan=True))["plan"] is True


@pytest.mark.proves("E6", "A1")
async def test_the_modes_of_a_queued_message_hold_from_its_start_on(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("the first answer")
    models.model("alpha").replies(text("One.").waits_for(gate), text("Two."), text("Three."))
    client = await serve(config=team_config(models, "alpha"))
    chat = await client.command("teamwright.chat", text="One")
    session = chat["sessionId"]
    await gate.reached()
    second = await client.command("teamwright.chat", text="Two", sessionId=session, modes={"team": "never"})
    third = await client.command("teamwright.chat", text="Three", sessionId=session, modes={"refinement": False})
    assert await client.command("teamwright.modes", sessionId=session) == OPEN_MODES
    gate.release()
    await finished(client, second)
    await finished(client, third)
    assert ["launch_run" in request.tool_names for request in models.requests] == [True, False, False]
    in_force = await client.command("teamwright.modes", sessionId=session)
    assert in_force == {**OPEN_MODES, "team": "never", "refinement": False}


@pytest.mark.proves("A2", "C4")
async def test_the_team_gets_the_message_itself_and_its_result_is_the_answer(serve: Serve, models: ModelServer) -> None:
    client = await serve(config=team_config(models, "alpha", "beta"))
    modes = {"team": "always", "agentMode": "single", "agentId": "beta"}
    models.model("beta").replies(text("It is fine."))
    chat = await client.command("teamwright.chat", text="Check it.", modes=modes)
    question = (await client.event("decision.requested"))["event"]["decision"]
    assert (question["detail"]["spec"]["task"], question["detail"]["spec"]["agents"]) == ("Check it.", ["beta"])
    assert models.requests == [], "no model is asked before the team"
    await client.command("teamwright.approve", decisionId=question["decisionId"], choice="approve")

    assert (await finished(client, chat))["outcome"] == "completed"
    assert [request.model for request in models.requests] == ["beta"]
    assert [item["text"] for item in items(client, "presentation")] == ["It is fine."]

    await client.command("teamwright.modes", sessionId=chat["sessionId"], team="never")
    models.model("alpha").replies(text("It was fine."))
    again = await client.command("teamwright.chat", text="What was it?", sessionId=chat["sessionId"])
    await finished(client, again)
    assert "It is fine." in models.requests[1].tool_results[0].text
    assert "launch_run" not in models.requests[1].tool_names
    audit(client.events)


@pytest.mark.proves("A2")
async def test_a_message_that_the_team_may_not_take_up_ends_its_turn(serve: Serve, models: ModelServer) -> None:
    client = await serve(config=team_config(models, "alpha"))
    refused = await client.command("teamwright.chat", text="Check it.", modes={"team": "always"})
    question = (await client.event("decision.requested"))["event"]["decision"]
    await client.command("teamwright.approve", decisionId=question["decisionId"], choice="cancel")
    assert (await finished(client, refused))["outcome"] == "cancelled"

    modes = {"team": "always", "autonomy": "autonomous"}
    untrusted = await client.command("teamwright.chat", text="Check it.", modes=modes)
    ended = await finished(client, untrusted)
    assert ended["outcome"] == "failed"
    assert "not trusted" in ended["error"]
    assert models.requests == []


@pytest.mark.proves("D3")
async def test_on_its_own_the_assistant_approves_by_policy_and_fails_where_it_would_have_to_ask(
    serve: Serve, models: ModelServer
) -> None:
    client = await serve(config=team_config(models, "alpha", "beta"), trusted=True)
    models.model("alpha").replies(
        calls(tool("launch_run", task="Look.", agents=["beta"], agent_mode="single")),
        calls(tool("request_input", question="Which port?")),
    )
    models.model("beta").replies(text("Looked."))
    chat = await client.command("teamwright.chat", text="Set it up.", modes={"autonomy": "autonomous"})
    ended = await finished(client, chat)
    assert (ended["outcome"], "Which port?" in ended["error"]) == ("failed", True)
    assert "request_input" not in models.requests[0].tool_names
    asked = [r["event"] for r in client.events if r["event"]["type"].startswith("decision.")]
    assert [asked[0]["decision"]["kind"], asked[1]["by"]] == ["run", "policy"]
    assert len(asked) == 2
    audit(client.events)


@pytest.mark.proves("D3")
async def test_on_its_own_a_turn_takes_ten_steps_at_most(serve: Serve, models: ModelServer) -> None:
    client = await serve(config=team_config(models, "alpha"))
    models.model("alpha").always(calls(tool("list_files")))
    chat = await client.command("teamwright.chat", text="Look around.", modes={"autonomy": "autonomous"})
    ended = await finished(client, chat)
    assert (ended["outcome"], "10 steps" in ended["error"]) == ("failed", True)
    assert len(models.requests) == 10


@pytest.mark.proves("D3")
async def test_on_its_own_an_agent_takes_ten_steps_at_most(serve: Serve, models: ModelServer) -> None:
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    models.model("alpha").always(calls(tool("list_files")))
    modes = {"autonomy": "autonomous"}
    run = await client.command("teamwright.launch_run", task="Look around.", agentMode="single", modes=modes)
    await client.event("run.finished", lambda r: r["runId"] == run["runId"])
    assert len(models.requests) == 10
