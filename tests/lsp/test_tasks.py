"""The list of big work: written by the assistant, ticked as its runs end, changed by the user, kept over restarts."""

import pytest

from tests.lsp.test_workflows import led_by_its_own_model
from tests.support.doors import Serve
from tests.support.drawn import DrawnTranscript
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text, tool

ALONE = {"agent_mode": "single", "agents": ["sol"]}


def states(tasks: list[Json]) -> list[tuple[str, str]]:
    return [(task["title"], task["state"]) for task in tasks]


def told_lists(client: LspClient) -> list[list[tuple[str, str]]]:
    events = (record["event"] for record in client.events)
    return [states(event["tasks"]) for event in events if event["type"] == "tasks.updated"]


@pytest.mark.asyncio
@pytest.mark.proves("A12")
async def test_a_big_request_becomes_runs_that_tick_its_list(serve: Serve, models: ModelServer) -> None:
    tasks = [{"id": "1", "title": "Write the parser"}, {"id": "2", "title": "Write its tests"}]
    models.model("lead").replies(
        calls(tool("task_list", tasks=tasks)),
        calls(tool("launch_run", task="Write the parser.", task_id="1", **ALONE)),
        calls(tool("launch_run", task="Write its tests.", task_id="2", **ALONE)),
        text("Both are done."),
        text("As you like."),
    )
    models.model("sol").replies(text("A parser."), text("Its tests."))
    client = await serve(config=led_by_its_own_model(models), trusted=True, transcript=True)

    chat = await client.command("teamwright.chat", text="I need a parser with tests.")
    await client.event("turn.finished")
    await client.event("tasks.updated", lambda r: states(r["event"]["tasks"])[1][1] == "done")

    parser, tests = "Write the parser", "Write its tests"
    assert told_lists(client) == [
        [(parser, "pending"), (tests, "pending")],
        [(parser, "running"), (tests, "pending")],
        [(parser, "done"), (tests, "pending")],
        [(parser, "done"), (tests, "running")],
        [(parser, "done"), (tests, "done")],
    ]
    third = models.requests_to("lead")[2].messages[-1][1]
    assert "1 Write the parser (done); 2 Write its tests (pending)" in third

    session = {"sessionId": chat["sessionId"]}
    edited = [*(await client.command("teamwright.session.tasks", **session))["tasks"], {"title": "Write the guide"}]
    edited[1]["state"] = "dropped"
    kept = await client.command("teamwright.session.tasks", **session, tasks=edited)
    assert states(kept["tasks"]) == [(parser, "done"), (tests, "dropped"), ("Write the guide", "pending")]
    assert [task["id"] for task in kept["tasks"]] == ["1", "2", "3"]

    await client.kill()
    client = await serve(config=led_by_its_own_model(models), trusted=True, transcript=True)
    opened = await client.command("teamwright.session.open", **session)
    assert opened["session"]["tasks"] == kept["tasks"]
    (drawn,) = DrawnTranscript(opened["transcript"]).of_kind("tasks")
    rows = [[cell["text"] for cell in row["cells"]] for row in drawn["parts"][0]["data"]["rows"]]
    assert (drawn["title"], drawn["state"]) == ("1 of 2 tasks done", "running")
    assert rows == [["done", parser], ["dropped", tests], ["to do", "Write the guide"]]
    assert [action["label"] for action in drawn["actions"]] == ["Go on with the next", "Edit the list"]

    go_on = drawn["actions"][0]
    await client.command(go_on["command"], **go_on["arguments"])
    await client.event("turn.finished")
    assert "3 Write the guide (pending)" in models.requests_to("lead")[-1].messages[-1][1]


@pytest.mark.asyncio
async def test_a_run_that_the_user_stops_leaves_its_task_to_do(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("slow")
    models.model("lead").replies(
        calls(tool("task_list", tasks=[{"id": "a", "title": "Think"}])),
        calls(tool("launch_run", task="Think.", task_id="a", **ALONE)),
        text("Stopped."),
    )
    models.model("sol").replies(text("Hm.").waits_for(gate))
    client = await serve(config=led_by_its_own_model(models), trusted=True)
    chat = await client.command("teamwright.chat", text="Think hard.")
    running = await client.event("tasks.updated", lambda r: r["event"]["tasks"][0]["state"] == "running")
    await client.command("teamwright.cancel", runId=running["event"]["tasks"][0]["runId"])
    await client.event("turn.finished", lambda r: r["turnId"] == chat["turnId"])
    gate.release()
    now = await client.command("teamwright.session.tasks", sessionId=chat["sessionId"])
    assert states(now["tasks"]) == [("Think", "pending")]
