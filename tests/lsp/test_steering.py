"""A message sent while something is under way: it reaches the agents, the assistant, or waits; it is never lost."""

import pytest

from tests.runtime.audit import audit
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio


async def finished(client: LspClient, chat: Json) -> Json:
    return (await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"]))["event"]


@pytest.mark.proves("C12", "A1")
async def test_a_word_into_a_run_reaches_its_agents_and_then_the_assistant(serve: Serve, models: ModelServer) -> None:
    looking = models.gate("beta looks around")
    models.model("alpha").replies(calls(tool("launch_run", task="Look.", agents=["beta"], agent_mode="single")))
    models.model("beta").replies(calls(tool("list_files")).waits_for(looking), text("I looked."))
    models.model("alpha").replies(text("Done, cheaply."))
    unasked = "orchestrator: {interactive_mode: {require_approval: false}}\n"
    client = await serve(config=team_config(models, "alpha", "beta", extra=unasked), trusted=True)
    chat = await client.command("teamwright.chat", text="Look at it.")
    await looking.reached()
    steered = await client.command(
        "teamwright.chat", text="Mind the budget.", sessionId=chat["sessionId"], whenBusy="steer"
    )
    looking.release()
    assert steered == chat, "the message belongs to the turn under way"
    assert (await finished(client, chat))["outcome"] == "completed"

    shared = await client.event("message.shared")
    assert (shared["event"]["text"], shared["event"]["to"]) == ("Mind the budget.", ["beta"])
    assert "Mind the budget." in models.requests[2].text
    assert "Mind the budget." in models.requests[3].text
    audit(client.events)


@pytest.mark.proves("C12")
async def test_a_word_into_a_run_without_a_turn_is_a_turn_that_is_over_at_once(
    serve: Serve, models: ModelServer
) -> None:
    looking = models.gate("alpha looks around")
    models.model("alpha").replies(calls(tool("list_files")).waits_for(looking), text("I looked."))
    client = await serve(config=team_config(models, "alpha"))
    run = await client.command("teamwright.launch_run", task="Look.", agentMode="single", approval="given")
    await looking.reached()
    steered = await client.command("teamwright.chat", text="Be quick.", sessionId=run["sessionId"], whenBusy="steer")
    assert (await finished(client, steered))["outcome"] == "completed"
    looking.release()
    await client.event("run.finished")
    assert "Be quick." in models.requests[1].text
    assert len(models.requests) == 2, "nobody but the agents is asked"


@pytest.mark.proves("A1")
async def test_a_word_to_the_assistant_is_answered_in_the_turn_under_way(serve: Serve, models: ModelServer) -> None:
    thinking = models.gate("the assistant thinks")
    models.model("alpha").replies(text("Red.").waits_for(thinking), text("Blue, then."), text("Green."))
    client = await serve(config=team_config(models, "alpha"))
    chat = await client.command("teamwright.chat", text="Which colour?")
    await thinking.reached()
    steered = await client.command("teamwright.chat", text="Not red.", sessionId=chat["sessionId"], whenBusy="steer")
    assert steered == chat
    thinking.release()
    await finished(client, chat)
    assert {words for _, words in models.requests[1].messages[:-1]} == {"Which colour?", "Red.", "Not red."}

    idle = await client.command("teamwright.chat", text="And now?", sessionId=chat["sessionId"], whenBusy="steer")
    assert idle["turnId"] != chat["turnId"], "with nothing under way it begins a turn"
    await finished(client, idle)
    audit(client.events)


@pytest.mark.proves("A1", "C12")
async def test_a_word_that_comes_while_a_run_waits_for_its_approval_is_kept_for_the_assistant(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(calls(tool("launch_run", task="Look.")), text("Then not."))
    client = await serve(config=team_config(models, "alpha", "beta"))
    chat = await client.command("teamwright.chat", text="Look at it.")
    asked = (await client.event("decision.requested"))["event"]["decision"]
    await client.command("teamwright.chat", text="Wait!", sessionId=chat["sessionId"], whenBusy="steer")
    await client.command("teamwright.approve", decisionId=asked["decisionId"], choice="cancel")
    await finished(client, chat)
    assert "Wait!" in models.requests[1].text


@pytest.mark.proves("A1")
async def test_a_queued_message_can_be_taken_back(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("first answer")
    models.model("alpha").replies(text("One.").waits_for(gate), text("Three."))
    client = await serve(config=team_config(models, "alpha"))
    first = await client.command("teamwright.chat", text="first")
    second, third = [
        await client.command("teamwright.chat", text=words, sessionId=first["sessionId"])
        for words in ("Walrus.", "Third.")
    ]
    assert await client.command("teamwright.cancel", turnId=second["turnId"]) == {"cancelled": True}
    assert await client.command("teamwright.cancel", turnId=second["turnId"]) == {"cancelled": False}
    gate.release()
    await finished(client, third)
    assert (await finished(client, second))["outcome"] == "cancelled"
    assert "Walrus" not in models.requests[1].text
