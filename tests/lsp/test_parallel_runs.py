"""Several runs of one answer go side by side: each is seen, steered and stopped by itself, and each has its result."""

import pytest

from tests.lsp.test_workflows import led_by_its_own_model, results_of_runs
from tests.support.doors import Serve
from tests.support.drawn import DrawnTranscript, Json
from tests.support.model_server import ModelServer, calls, text, tool

FIRST = tool("launch_run", task="Look at the parser.", agent_mode="single", agents=["sol"])
SECOND = tool("launch_run", task="Look at the printer.", agent_mode="single", agents=["flash"])


def stops(transcript: Json) -> list[str]:
    actions = (action for entry in DrawnTranscript(transcript).entries for action in entry["actions"])
    return [action["label"] for action in actions if action["command"] == "teamwright.cancel"]


@pytest.mark.asyncio
@pytest.mark.proves("A13")
async def test_runs_of_one_answer_go_side_by_side_and_one_is_stopped(serve: Serve, models: ModelServer) -> None:
    parser, printer = models.gate("parser"), models.gate("printer")
    models.model("lead").replies(calls(FIRST, SECOND), text("One is done, one was stopped."))
    # The second time it has the user's word.
    models.model("sol").replies(text("The parser is fine.").waits_for(parser), text("The parser is fine."))
    models.model("flash").replies(text("Never heard.").waits_for(printer))
    client = await serve(config=led_by_its_own_model(models), trusted=True, transcript=True)
    chat = await client.command("teamwright.chat", text="Look at both.")
    await parser.reached()
    await printer.reached()

    opened = await client.command("teamwright.session.open", sessionId=chat["sessionId"])
    assert stops(opened["transcript"]) == ["Stop the answer and its 2 runs", "Cancel the run", "Cancel the run"]
    runs = {run["task"]: run for run in opened["session"]["runViews"]}
    steered = await client.command("teamwright.steer", runId=runs["Look at the parser."]["runId"], text="Be quick.")
    assert steered["delivered"] == ["sol"]
    await client.command("teamwright.cancel", runId=runs["Look at the printer."]["runId"])
    await client.event("run.finished", lambda record: record["event"]["outcome"] == "cancelled")
    opened = await client.command("teamwright.session.open", sessionId=chat["sessionId"])
    assert stops(opened["transcript"]) == ["Stop the answer and its run", "Cancel the run"]
    parser.release()
    await client.event("turn.finished")

    first, second = results_of_runs(models)
    assert ("completed" in first, "The parser is fine." in first) == (True, True)
    assert ("cancelled" in second, "Never heard." in second) == (True, False)
    printer.release()


@pytest.mark.asyncio
@pytest.mark.proves("A13")
async def test_each_of_them_answers_its_own_call_after_a_crash(serve: Serve, models: ModelServer) -> None:
    gates = {name: models.gate(name) for name in ("sol", "flash")}
    models.model("lead").replies(calls(FIRST, SECOND), text("Both are done."))
    for name, gate in gates.items():
        models.model(name).replies(text("Lost.").waits_for(gate), text(f"Found by {name}."))
    config = led_by_its_own_model(models)
    client = await serve(config=config, trusted=True)
    chat = await client.command("teamwright.chat", text="Look at both.")
    for gate in gates.values():
        await gate.reached()
    await client.kill()
    for gate in gates.values():
        gate.release()

    client = await serve(config=config, trusted=True)
    status = await client.command("teamwright.status")
    (asked,) = status["decisions"]
    await client.command("teamwright.session.open", sessionId=chat["sessionId"])
    await client.command("teamwright.approve", decisionId=asked["decisionId"], choice="approve")
    await client.event("turn.finished")
    assert ["Found by sol." in result for result in results_of_runs(models)] == [True, False]
    assert ["Found by flash." in result for result in results_of_runs(models)] == [False, True]
