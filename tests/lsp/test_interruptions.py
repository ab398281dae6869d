"""What a killed server had at work waits for a person as soon as the next one is asked how things stand."""

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio


async def waiting(client: LspClient) -> list[Json]:
    return (await client.command("teamwright.status"))["decisions"]


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
    chat = await first.command("teamwright.chat", text="Talk.")
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
    (listed,) = (await second.command("teamwright.session.list"))["sessions"]
    assert listed["pendingDecisions"] == 1

    third = await serve(config=config)
    assert await waiting(third) == [question], "it is asked once, and any window may answer"
    await third.command("teamwright.approve", decisionId=question["decisionId"], choice="approve")
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
    run = await first.command("teamwright.launch_run", task="Do it.", agentMode="single", approval="given")
    await first.event("item.delta")
    await (first.kill() if leave == "kill" else first.shutdown())

    second = await serve(config=config)
    (question,) = await waiting(second)
    assert question["detail"] == {"what": "run", "task": "Do it.", "done": "0 answers and 0 votes so far"}
    await second.command("teamwright.approve", decisionId=question["decisionId"], choice="approve")
    ended = await second.event("run.finished", lambda r: r["runId"] == run["runId"])
    assert (ended["event"]["outcome"], ended["event"]["result"]["text"]) == ("completed", "All of it.")


@pytest.mark.proves("D6")
async def test_what_another_window_works_on_is_not_interrupted(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("the answer")
    models.model("alpha").replies(text("Four.").waits_for(gate))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="What is two and two?")
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
    chat = await first.command("teamwright.chat", text="Talk.")
    await first.event("item.delta")
    await first.kill()

    second = await serve(config=config)
    await second.command("teamwright.status")
    opened = await second.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0)
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
    run = await first.command("teamwright.launch_run", task="Look.", agentMode="single", approval="given")
    await gate.reached()
    await first.event("item.finished", lambda r: r["event"]["item"].get("arguments") == {"glob": "*.py"})
    await first.kill()
    gate.release()

    second = await serve(config=config)
    opened = await second.command("teamwright.session.open", sessionId=run["sessionId"], afterSeq=0)
    second.events.extend(opened["events"])
    ended = await second.event("run.finished", lambda r: r["runId"] == run["runId"])
    assert ended["event"]["outcome"] == "failed", "it has looked around for all its steps, and said nothing"
    assert times_asked(models) == 5, "two of its four steps were done, and the third was asked for again"


@pytest.mark.proves("D1", "D6")
async def test_the_question_comes_with_the_server_and_not_with_a_command(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("So far ", "and no further").stalls(after=1))
    config = team_config(models, "alpha")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Talk.")
    await first.event("item.delta")
    await first.kill()

    second = await serve(config=config)
    told = await second.event("decision.requested")
    assert (told["event"]["decision"]["kind"], told["sessionId"]) == ("resume", chat["sessionId"])


@pytest.mark.proves("D1", "D6")
@pytest.mark.parametrize("choice", ["approve", "cancel"])
async def test_several_things_are_asked_about_once(choice: str, serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("So far ", "and no further").stalls(after=1))
    models.model("beta").replies(text("It is ", "not yet").stalls(after=1))
    config = team_config(models, "alpha", "beta")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Talk.")
    session = chat["sessionId"]
    await first.event("item.delta")
    run = await first.command(
        "teamwright.launch_run", task="Do it.", agents=["beta"], agentMode="single", approval="given", sessionId=session
    )
    await first.event("item.delta", lambda r: r.get("runId") == run["runId"])
    await first.kill()

    models.model("alpha").replies(text("All of it."))
    models.model("beta").replies(text("It is done."))
    second = await serve(config=config)
    (question,) = await waiting(second)
    assert question["kind"] == "resume"
    assert (question["detail"]["what"], question["detail"]["task"]) == ("session", "Talk.")
    assert question["detail"]["items"] == [
        {"what": "run", "id": run["runId"], "task": "Do it."},
        {"what": "turn", "id": chat["turnId"], "task": "Talk."},
    ]
    opened = await second.command("teamwright.session.open", sessionId=session)
    assert [each["decisionId"] for each in opened["session"]["decisions"]] == [question["decisionId"]]
    assert times_asked(models) == 2, "nothing is spent before a yes"
    await second.command("teamwright.approve", decisionId=question["decisionId"], choice=choice)
    outcome = {"approve": "completed", "cancel": "cancelled"}[choice]
    assert (await finished(second, chat))["outcome"] == outcome
    ended = await second.event("run.finished", lambda r: r["runId"] == run["runId"])
    assert ended["event"]["outcome"] == outcome
    assert times_asked(models) == {"approve": 4, "cancel": 2}[choice]
    assert await waiting(second) == []


@pytest.mark.proves("A4", "D6")
async def test_what_was_called_off_does_not_go_on_after_a_crash(serve: Serve, models: ModelServer) -> None:
    launch = calls(tool("launch_run", task="Look.", agents=["beta"], agent_mode="single"))
    models.model("alpha").replies(launch)
    models.model("beta").replies(text("So far ", "and no further").stalls(after=1))
    config = team_config(models, "alpha", "beta", extra="orchestrator: {interactive_mode: {resume: auto}}\n")
    first = await serve(config=config)
    chat = await first.command("teamwright.chat", text="Look at it.")
    asked = (await first.event("decision.requested"))["event"]["decision"]
    await first.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    await first.event("item.delta")
    assert (await first.command("teamwright.cancel", turnId=chat["turnId"]))["cancelled"]
    await first.kill()

    second = await serve(config=config)
    opened = await second.command("teamwright.session.open", sessionId=chat["sessionId"], afterSeq=0)
    second.events.extend(opened["events"])
    assert (await finished(second, chat))["outcome"] == "cancelled"
    assert times_asked(models) == 2, "no model is asked for what nobody wants any more"
