"""A turn that the server's end interrupted: what only waited goes on by its answer, what was at work asks first."""

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio


async def finished(client: LspClient, chat: Json) -> Json:
    return (await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"]))["event"]


async def reopened(client: LspClient, chat: Json) -> list[Json]:
    """The decisions that wait once the session is open again."""
    opened = await client.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0)
    client.events.extend(opened["events"])
    return opened["session"]["decisions"]


async def resume_question(client: LspClient) -> Json:
    asked = await client.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "resume")
    return asked["event"]["decision"]


@pytest.mark.proves("D1", "D6", "A4")
@pytest.mark.parametrize("leave", ["kill", "shutdown"])
async def test_a_turn_that_waits_for_an_approval_goes_on_with_the_run_it_launched(
    leave: str, serve: Serve, models: ModelServer
) -> None:
    launch = calls(tool("launch_run", task="Look.", agents=["beta"], agent_mode="single"))
    models.model("alpha").replies(launch)
    config = team_config(models, "alpha", "beta")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Look at it.")
    asked = (await first.event("decision.requested"))["event"]["decision"]
    await (first.kill() if leave == "kill" else first.shutdown())

    second = await serve(config=config)
    assert [each["decisionId"] for each in await reopened(second, chat)] == [asked["decisionId"]]
    models.model("beta").replies(text("I looked."))
    models.model("alpha").replies(text("It is fine."))
    await second.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    assert (await finished(second, chat))["outcome"] == "completed"
    assert [request.model for request in models.requests] == ["alpha", "beta", "alpha"]
    assert "I looked." in models.requests[2].tool_results[-1].text
    kinds = [r["event"]["decision"]["kind"] for r in second.events if r["event"]["type"] == "decision.requested"]
    assert kinds == ["run"]
    started = [r for r in second.events if r["event"]["type"] == "run.started"]
    assert [r["turnId"] for r in started] == [chat["turnId"]]


@pytest.mark.proves("D2", "D6")
async def test_a_question_that_was_open_is_answered_after_the_restart(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(calls(tool("request_input", question="Which port?")))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Set it up.")
    asked = (await first.event("decision.requested"))["event"]["decision"]
    await first.kill()

    second = await serve(config=config)
    models.model("alpha").replies(text("It is 8080."))
    await second.command("teamwright.respond", decisionId=asked["decisionId"], text="8080")
    await reopened(second, chat)
    assert (await finished(second, chat))["outcome"] == "completed"
    assert models.requests[1].tool_results[-1].text == "8080"


@pytest.mark.proves("D6", "A1")
@pytest.mark.parametrize("choice", ["approve", "cancel"])
async def test_a_turn_that_was_at_work_asks_first_and_those_behind_it_go_on_in_order(
    choice: str, serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(text("So far ", "and no further").stalls(after=1))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Talk.")
    session = chat["sessionId"]
    queued = [
        await first.command("teamwright.chat", text=words, sessionId=session) for words in ("Then this.", "That.")
    ]
    await first.event("item.delta")
    await first.kill()

    models.model("alpha").always(lambda request: text(f"Answer to {request.messages[-2][1]}"))
    second = await serve(config=config)
    await reopened(second, chat)
    question = await resume_question(second)
    assert question["detail"] == {"what": "turn", "task": "Talk.", "done": "nothing so far"}
    assert len(models.requests) == 1, "nothing is spent before a yes"
    await second.command("teamwright.approve", decisionId=question["decisionId"], choice=choice)
    assert (await finished(second, chat))["outcome"] == {"approve": "completed", "cancel": "cancelled"}[choice]
    for each in queued:
        assert (await finished(second, each))["outcome"] == "completed"

    ended = [r["event"]["item"] for r in second.events if r["event"]["type"] == "item.finished"]
    said = [item["text"] for item in ended if item["kind"] == "assistant_message" and not item.get("discarded")]
    answered = ["Answer to Talk."] if choice == "approve" else []
    assert said == [*answered, "Answer to Then this.", "Answer to That."]
    assert [item["text"] for item in ended if item.get("discarded")] == [""]


@pytest.mark.proves("A7", "D6")
async def test_an_answer_that_is_there_is_not_asked_for_again(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(calls(tool("list_files")), text("Nothing is here."))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Look around.")
    answered = await first.event("item.finished", lambda r: r["event"].get("endsTurn", False))
    await first.kill()

    second = await serve(config=config)
    await reopened(second, chat)
    assert (await finished(second, chat))["outcome"] == "completed"
    assert answered["event"]["item"]["text"] == "Nothing is here."
    assert [r for r in second.events if r["event"]["type"] == "decision.requested"] == []
    assert len(models.requests) == 2


@pytest.mark.proves("A4", "D6")
async def test_a_restart_gives_a_turn_no_more_steps_than_it_had(serve: Serve, models: ModelServer) -> None:
    two_calls = calls(tool("list_files"), tool("list_files"))
    models.model("alpha").replies(two_calls, text("Let me ", "see").stalls(after=1), two_calls)
    config = team_config(
        models, "alpha", extra="orchestrator: {interactive_mode: {autonomy: autonomous, max_steps: 3}}\n"
    )
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Look around.")
    await first.event("item.delta")
    await first.kill()

    second = await serve(config=config)
    await reopened(second, chat)
    await second.command(
        "teamwright.approve", decisionId=(await resume_question(second))["decisionId"], choice="approve"
    )
    ended = await finished(second, chat)
    assert (ended["outcome"], "stopped after 3 steps" in ended["error"]) == ("failed", True)
    assert len(models.requests) == 3


@pytest.mark.proves("D6")
async def test_where_the_configuration_says_so_a_turn_goes_on_by_itself(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("So far ", "and no further").stalls(after=1), text("All of it."))
    config = team_config(models, "alpha", extra="orchestrator: {interactive_mode: {resume: auto}}\n")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Talk.")
    await first.event("item.delta")
    await first.kill()

    second = await serve(config=config)
    await reopened(second, chat)
    assert (await finished(second, chat))["outcome"] == "completed"
    question = await resume_question(second)
    resolved = await second.event("decision.resolved")
    assert (resolved["event"]["decisionId"], resolved["event"]["by"]) == (question["decisionId"], "policy")


@pytest.mark.proves("A2", "D6")
async def test_a_message_for_the_team_is_launched_once_however_often_the_server_ends(
    serve: Serve, models: ModelServer
) -> None:
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Check it.", modes={"team": "always", "agentMode": "single"})
    asked = (await first.event("decision.requested"))["event"]["decision"]
    await first.kill()

    second = await serve(config=config)
    models.model("alpha").replies(text("It is ", "fine.").stalls(after=1))
    await second.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    await reopened(second, chat)
    await second.event("item.delta")
    await second.kill()

    third = await serve(config=config)
    models.model("alpha").replies(text("It is fine."))
    await reopened(third, chat)
    question = await resume_question(third)
    assert question["detail"]["what"] == "run"
    await third.command("teamwright.approve", decisionId=question["decisionId"], choice="approve")
    assert (await finished(third, chat))["outcome"] == "completed"
    assert len({r["runId"] for r in third.events if "runId" in r}) == 1
    ended = [r for r in third.events if r["event"]["type"] == "item.finished" and "runId" not in r]
    assert [r["event"]["item"]["text"] for r in ended if r["event"]["item"]["kind"] == "presentation"] == [
        "It is fine."
    ]


@pytest.mark.proves("A4")
async def test_a_turn_that_is_cancelled_while_it_asks_takes_its_question_back(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(calls(tool("request_input", question="Which port?")))
    client = await serve(config=team_config(models, "alpha"))
    chat = await client.command("teamwright.chat", text="Set it up.")
    await client.event("decision.requested")
    await client.command("teamwright.cancel", turnId=chat["turnId"])
    assert (await finished(client, chat))["outcome"] == "cancelled"
    assert await reopened(client, chat) == []
