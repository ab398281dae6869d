"""What a killed server had at work waits for a person as soon as the next one is asked how things stand."""

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio


async def waiting(client: LspClient) -> list[Json]:
    return (await client.command("quorate.status"))["decisions"]


def times_asked(models: ModelServer) -> int:
    """The rest of the requests ask only whether somebody is there."""
    return sum(request.method == "POST" for request in models.requests)


async def finished(client: LspClient, chat: Json) -> Json:
    return (await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"]))["event"]


@pytest.mark.proves("D1", "D6")
async def test_an_interrupted_turn_asks_before_its_session_is_opened(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("So far ", "and no further").stalls(after=1), text("All of it."))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("quorate.chat", text="Talk.")
    await first.event("item.delta")
    await first.kill()

    second = await serve(config=config)
    (question,) = await waiting(second)
    assert (question["kind"], question["detail"]) == (
        "resume",
        {"what": "turn", "task": "Talk.", "done": "nothing so far"},
    )
    told = await second.event("decision.requested")
    assert (told["sessionId"], told["turnId"]) == tuple(chat.values())
    assert {**told["event"]["decision"], "sessionId": chat["sessionId"]} == question
    (listed,) = (await second.command("quorate.session.list"))["sessions"]
    assert listed["pendingDecisions"] == 1

    third = await serve(config=config)
    assert await waiting(third) == [question], "it is asked once, and any window may answer"
    await third.command("quorate.approve", decisionId=question["decisionId"], choice="approve")
    assert (await finished(third, chat))["outcome"] == "completed"
    assert times_asked(models) == 2
    assert await waiting(third) == []


@pytest.mark.proves("C8", "D6")
@pytest.mark.parametrize("leave", ["kill", "shutdown"])
async def test_an_interrupted_run_asks_before_its_session_is_opened(
    leave: str, serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(text("So far ", "and no further").stalls(after=1), text("All of it."))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    run = await first.command("quorate.launch_run", task="Do it.", agentMode="single", approval="given")
    await first.event("item.delta")
    await (first.kill() if leave == "kill" else first.shutdown())

    second = await serve(config=config)
    (question,) = await waiting(second)
    assert question["detail"] == {"what": "run", "task": "Do it.", "done": "0 answers and 0 votes so far"}
    await second.command("quorate.approve", decisionId=question["decisionId"], choice="approve")
    ended = await second.event("run.finished", lambda r: r["runId"] == run["runId"])
    assert (ended["event"]["outcome"], ended["event"]["result"]["text"]) == ("completed", "All of it.")


@pytest.mark.proves("D6")
async def test_what_another_window_works_on_is_not_interrupted(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("the answer")
    models.model("alpha").replies(text("Four.").waits_for(gate))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("quorate.chat", text="What is two and two?")
    await gate.reached()

    second = await serve(config=config)
    assert await waiting(second) == []
    gate.release()
    assert (await finished(first, chat))["outcome"] == "completed"


@pytest.mark.proves("D6")
async def test_what_goes_on_by_itself_does_so_before_its_session_is_opened(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("So far ", "and no further").stalls(after=1), text("All of it."))
    config = team_config(models, "alpha", extra="orchestrator: {interactive_mode: {resume: auto}}\n")
    first = await serve(config=config)
    chat = await first.command("quorate.chat", text="Talk.")
    await first.event("item.delta")
    await first.kill()

    second = await serve(config=config)
    await second.command("quorate.status")
    opened = await second.command("quorate.session.open", sessionId=chat["sessionId"], afterSeq=0)
    second.events.extend(opened["events"])
    assert (await finished(second, chat))["outcome"] == "completed"
    assert times_asked(models) == 2


@pytest.mark.proves("C8", "D6")
async def test_a_restart_gives_an_agent_no_more_steps_than_it_had(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("the third look")
    look, second_look = calls(tool("list_files")), calls(tool("list_files", glob="*.py"))
    models.model("alpha").replies(look, second_look, look.waits_for(gate), look, look)
    limits = "orchestrator: {interactive_mode: {autonomy: autonomous, max_steps: 4, resume: auto}}\n"
    config = team_config(models, "alpha", extra=limits)
    first = await serve(config=config)
    run = await first.command("quorate.launch_run", task="Look.", agentMode="single", approval="given")
    await gate.reached()
    await first.event("item.finished", lambda r: r["event"]["item"].get("arguments") == {"glob": "*.py"})
    await first.kill()
    gate.release()

    second = await serve(config=config)
    opened = await second.command("quorate.session.open", sessionId=run["sessionId"], afterSeq=0)
    second.events.extend(opened["events"])
    ended = await second.event("run.finished", lambda r: r["runId"] == run["runId"])
    assert ended["event"]["outcome"] == "failed", "it has looked around for all its steps, and said nothing"
    assert times_asked(models) == 5, "two of its four steps were done, and the third was asked for again"
