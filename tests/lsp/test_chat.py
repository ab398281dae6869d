"""A chat through the real server: spawned, over stdio, with a real SDK at the other end."""

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspError
from tests.support.model_server import ModelServer, answer, fails, text, thinking


def durable(events: list[Json]) -> list[str]:
    """What was recorded of the conversation itself; `session.updated` follows at its own pace."""
    types = [record["event"]["type"] for record in events if record["seq"] is not None]
    return [event_type for event_type in types if event_type != "session.updated"]


@pytest.mark.asyncio
@pytest.mark.proves("A1", "F1")
async def test_an_answer_is_streamed_as_events_that_follow_the_response(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("A quorum is the least that ", "may decide."))
    client = await serve(config=team_config(models, "alpha"))

    chat = await client.command("teamwright.chat", text="What is a quorum?")
    finished = await client.event("turn.finished")

    assert durable(client.events) == [
        "session.created",
        "turn.started",
        "item.started",
        "item.finished",
        "item.started",
        "item.finished",
        "turn.finished",
    ]
    numbers = [record["seq"] for record in client.events if record["seq"] is not None]
    assert numbers == list(range(1, len(numbers) + 1))
    assert {record["sessionId"] for record in client.events} == {chat["sessionId"]}
    assert finished["turnId"] == chat["turnId"]
    assert finished["event"] == {
        "type": "turn.finished",
        "outcome": "completed",
        "usage": {"inputTokens": 12, "outputTokens": 7, "cachedTokens": 0, "calls": 1},
    }
    answered = [m for m in client.arrived if m.get("method") == "teamwright/event" or m.get("result") == chat]
    assert answered[0].get("result") == chat, "an event that bears the response's ids came before the response"


@pytest.mark.asyncio
@pytest.mark.proves("A1")
async def test_deltas_add_up_to_the_finished_item_and_say_where_they_belong(serve: Serve, models: ModelServer) -> None:
    pieces = [f"wörd {n} 🙂 " for n in range(40)]
    models.model("alpha").replies(text(*pieces).paced(0.005))
    client = await serve(config=team_config(models, "alpha"))

    await client.command("teamwright.chat", text="Talk.")
    finished = await client.event("item.finished", lambda r: r["event"]["item"]["kind"] == "assistant_message")
    item = finished["event"]["item"]
    deltas = [r["event"] for r in client.events if r["event"]["type"] == "item.delta"]

    assert item["text"] == "".join(pieces)
    assert "".join(delta["text"] for delta in deltas) == item["text"]
    offsets = [sum(len(delta["text"]) for delta in deltas[:n]) for n in range(len(deltas))]
    assert [delta["offset"] for delta in deltas] == offsets
    assert {delta["itemId"] for delta in deltas} == {item["itemId"]}
    assert 1 < len(deltas) < len(pieces), "deltas are thinned out, but still stream"


@pytest.mark.asyncio
@pytest.mark.proves("A1")
async def test_the_model_sees_the_whole_conversation(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Four."), text("Yes, even."))
    client = await serve(config=team_config(models, "alpha"))

    first = await client.command("teamwright.chat", text="What is two and two?")
    await client.event("turn.finished", lambda r: r["turnId"] == first["turnId"])
    second = await client.command("teamwright.chat", text="Is it even?", sessionId=first["sessionId"])
    await client.event("turn.finished", lambda r: r["turnId"] == second["turnId"])

    *said, (_, facts) = models.requests[1].messages
    assert said == [
        ("user", "What is two and two?"),
        ("assistant", "Four."),
        ("user", "Is it even?"),
    ]
    assert facts.startswith("[As of now, said by Teamwright.")


@pytest.mark.asyncio
@pytest.mark.proves("D7")
async def test_reasoning_is_an_item_of_its_own(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(answer(thinking("Let me see."), "Four."))
    client = await serve(config=team_config(models, "alpha"))

    await client.command("teamwright.chat", text="What is two and two?")
    await client.event("turn.finished")

    items = [r["event"]["item"] for r in client.events if r["event"]["type"] == "item.finished"]
    assert [(item["kind"], item["text"]) for item in items] == [
        ("user_message", "What is two and two?"),
        ("reasoning", "Let me see."),
        ("assistant_message", "Four."),
    ]


@pytest.mark.asyncio
@pytest.mark.proves("A1")
async def test_a_message_sent_meanwhile_waits_its_turn(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("first answer")
    models.model("alpha").replies(text("One.").waits_for(gate), text("Two."))
    client = await serve(config=team_config(models, "alpha"))

    first = await client.command("teamwright.chat", text="first")
    await gate.reached()
    second = await client.command("teamwright.chat", text="second", sessionId=first["sessionId"])
    await client.event("turn.queued")
    gate.release()
    await client.event("turn.finished", lambda r: r["turnId"] == second["turnId"])

    turns = [
        (r["turnId"], r["event"]["type"])
        for r in client.events
        if r["event"]["type"] in {"turn.queued", "turn.started", "turn.finished"}
    ]
    assert turns == [
        (first["turnId"], "turn.started"),
        (second["turnId"], "turn.queued"),
        (first["turnId"], "turn.finished"),
        (second["turnId"], "turn.started"),
        (second["turnId"], "turn.finished"),
    ]


@pytest.mark.asyncio
@pytest.mark.proves("A1")
async def test_a_cancelled_turn_keeps_what_was_said_and_stops_the_model(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("So far ", "and no further").stalls(after=1))
    client = await serve(config=team_config(models, "alpha"))

    chat = await client.command("teamwright.chat", text="Talk.")
    await client.event("item.delta")
    assert await client.command("teamwright.cancel", turnId=chat["turnId"]) == {"cancelled": True}
    finished = await client.event("turn.finished")

    assert finished["event"]["outcome"] == "cancelled"
    await models.requests[0].disconnected()
    items = [r["event"]["item"] for r in client.events if r["event"]["type"] == "item.finished"]
    assert items[-1]["text"] == "So far "


@pytest.mark.asyncio
@pytest.mark.proves("F1", "F3")
async def test_a_provider_that_refuses_the_key_fails_the_turn_with_what_to_do(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(fails(401))
    client = await serve(config=team_config(models, "alpha"))

    await client.command("teamwright.chat", text="Hello")
    finished = await client.event("turn.finished")

    assert finished["event"]["outcome"] == "failed"
    assert "SCRIPTED_KEY" in finished["event"]["error"]
    assert "sk-scripted" not in str(client.arrived)


@pytest.mark.asyncio
async def test_bad_params_are_answered_with_every_fault(serve: Serve, models: ModelServer) -> None:
    client = await serve(config=team_config(models, "alpha"))
    with pytest.raises(LspError) as caught:
        await client.command("teamwright.chat", txt="Hello", sessionId=3)
    assert caught.value.code == 400
    assert [error["path"] for error in caught.value.data["errors"]] == ["text", "sessionId", "txt"]


@pytest.mark.asyncio
async def test_unknown_sessions_and_commands_are_404_and_reserved_ones_501(serve: Serve, models: ModelServer) -> None:
    client = await serve(config=team_config(models, "alpha"))
    codes: dict[str, int] = {}
    for name, params in {
        "teamwright.chat": {"text": "Hello", "sessionId": "ses_0"},
        "teamwright.dance": {},
        "teamwright.session.configure": {},
    }.items():
        with pytest.raises(LspError) as caught:
            await client.command(name, **params)
        codes[name] = caught.value.code
    assert codes == {"teamwright.chat": 404, "teamwright.dance": 404, "teamwright.session.configure": 501}


@pytest.mark.asyncio
async def test_the_server_says_which_protocol_and_commands_it_has_and_leaves_as_asked(serve: Serve) -> None:
    client = await serve()
    result = client.arrived[0]["result"]
    assert result["capabilities"]["experimental"] == {"teamwright": {"protocolVersion": 1}}
    assert "teamwright.chat" in result["capabilities"]["executeCommandProvider"]["commands"]
    assert result["serverInfo"]["name"] == "teamwright"
    assert await client.shutdown() == 0


@pytest.mark.asyncio
async def test_an_editor_that_is_quit_closes_the_input_and_that_is_no_error(serve: Serve) -> None:
    client = await serve()
    assert await client.close_input() == 0
