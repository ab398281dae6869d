"""Plans through the real server: asked for by a mode, carried out whole or in parts, and told of when it is done."""

from pathlib import Path

import pytest

from tests.runtime.lines import plans
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, Usage, answer, calls, text, tool

pytestmark = pytest.mark.asyncio

UNASKED = "orchestrator:\n  interactive_mode: {require_approval: false, apply_changes: auto}\n"
WRITES = {"path": "app.py", "permission": "write"}


def config(models: ModelServer, extra: str = UNASKED) -> str:
    return team_config(models, "alpha", extra=extra)


def carries_out(models: ModelServer, words: str) -> None:
    write = tool("write_file", path="app.py", content="new\n")
    models.model("alpha").replies(calls(write), text(words).costing(Usage(40, 2)))


async def plan_asked(client: LspClient) -> Json:
    asked = await client.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "plan")
    return asked["event"]["decision"]


async def plan_entry(client: LspClient, session: str) -> Json:
    opened = await client.command("teamwright.session.open", sessionId=session)
    (entry,) = [each for each in opened["transcript"]["entries"] if each["kind"] == "plan"]
    return entry


@pytest.mark.proves("A3", "A4", "C6")
async def test_the_assistant_is_told_what_carrying_out_a_plan_came_to(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    """Unasked, by `execute_after_planning`: outcome, text, files and the cost of both."""
    (workspace / "app.py").write_text("old\n")
    launch = tool(
        "launch_run",
        task="Renew it.",
        agent_mode="single",
        planning_mode=True,
        execute_after_planning=True,
        context_paths=[WRITES],
        agent_system_prompts={"alpha": "Be brief."},
    )
    models.model("alpha").replies(calls(launch), plans("The renewal", "Write app.py"))
    carries_out(models, "It is renewed.")
    models.model("alpha").replies(text("Renewed, as planned."))
    client = await serve(config=config(models), trusted=True)
    await client.command("teamwright.project.create", name="renewal", goal="Renew.")
    await client.command("teamwright.project.select", name="renewal")
    chat = await client.command("teamwright.chat", text="Renew app.py.")
    await client.event("turn.finished")
    (told,) = models.requests_to("alpha")[-1].tool_results
    for each in ("1. **Write app.py**", "Carrying out the plan: completed", "It is renewed.", "# Its files\n- app.py"):
        assert each in told.text
    assert told.text.count("Cost: ") == 2
    assert all("Be brief." in request.system for request in models.requests_to("alpha")[1:4])
    notes = (workspace / ".teamwright/projects/renewal/CONTEXT.md").read_text()
    assert "The plan was carried out · 1 file written: Renew it." in notes
    finished = [r["event"] for r in client.events if r["event"]["type"] == "run.finished"]
    assert [event.get("execution", {}).get("written") for event in finished] == [None, ["app.py"]]
    entry = await plan_entry(client, chat["sessionId"])
    assert [part["text"] for part in entry["parts"] if part["part"] == "came to"] == ["The plan was carried out."]
    assert entry["actions"] == []


@pytest.mark.proves("C6", "E6")
async def test_plan_mode_plans_whatever_the_assistant_would_do_and_a_phase_of_the_plan_is_carried_out(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    """The rest stays pending, is offered, and carried out later."""
    (workspace / "app.py").write_text("old\n")
    tasks = [
        {"title": "Copy", "detail": "", "phase": "Before"},
        {"title": "Switch", "detail": "", "phase": "After"},
        {"title": "Sweep", "detail": "", "phase": "After"},
    ]
    models.model("alpha").replies(calls(tool("submit_plan", title="The move", tasks=tasks)))
    carries_out(models, "It is copied.")
    client = await serve(config=config(models), trusted=True)
    chat = await client.command("teamwright.chat", text="Move app.py.", modes={"plan": True, "agentMode": "single"})
    question = await plan_asked(client)
    labels = [action["label"] for action in (await plan_entry(client, chat["sessionId"]))["actions"]]
    assert labels[:4] == [
        "Carry out the plan",
        "Carry out only “Before”",
        "Carry out only “After”",
        "Carry out some tasks",
    ]
    first = question["detail"]["plan"]["tasks"][0]["id"]
    await client.command(
        "teamwright.approve", decisionId=question["decisionId"], choice="approve", edits={"tasks": [first]}
    )
    await client.event("turn.finished")
    started = [r["event"] for r in client.events if r["event"]["type"] == "run.started"]
    assert [event["spec"]["planningMode"] for event in started] == [True, False]
    assert "Sweep" not in started[1]["spec"]["task"].split("not yours")[0]
    presented = [
        r["event"]["item"]["text"]
        for r in client.events
        if r["event"]["type"] == "item.finished" and "runId" not in r and r["event"]["item"]["kind"] == "presentation"
    ]
    assert len(presented) == 1
    assert presented[0].startswith("It is copied.\n\nThe plan was carried out.\n")
    assert "Left for later: Switch; Sweep." in presented[0]

    entry = await plan_entry(client, chat["sessionId"])
    assert [action["label"] for action in entry["actions"]] == ["Carry out the rest, 2 tasks"]
    models.model("alpha").replies(text("It is switched and swept."))
    (rest,) = entry["actions"]
    launched = await client.command(rest["command"], **rest["arguments"])
    ended = await client.event("run.finished", lambda r: r["runId"] == launched["runId"])
    assert ended["event"]["result"]["text"] == "It is switched and swept."
    assert (await plan_entry(client, chat["sessionId"]))["actions"] == []


@pytest.mark.proves("A2")
async def test_without_an_assistant_every_message_goes_to_the_team(serve: Serve, models: ModelServer) -> None:
    alone = "orchestrator:\n  interactive_mode: {enabled: false, require_approval: false}\n"
    models.model("alpha").replies(answer("From the team."))
    client = await serve(config=config(models, alone), trusted=True)
    await client.command("teamwright.chat", text="Hello?", modes={"agentMode": "single"})
    await client.event("turn.finished")
    started = await client.event("run.started")
    assert (started["event"]["spec"]["task"], len(models.requests)) == ("Hello?", 1)
