"""Runs that a person launches without saying what they may read: the agents are not blind, and not let loose."""

from pathlib import Path

import pytest

from tests.runtime.lines import TEAM
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio

ALONE: Json = {"agentMode": "single", "agents": ["alpha"]}
NEVER_ASK = "orchestrator:\n  interactive_mode: {require_approval: false}\n"


def read(*paths: str) -> list[Json]:
    return [{"path": path, "permission": "read"} for path in paths]


async def finished(client: LspClient) -> Json:
    return (await client.event("run.finished"))["event"]


@pytest.mark.proves("C8", "D1")
async def test_a_run_that_names_no_paths_reads_the_workspace_and_its_card_says_so(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "app.py").write_text("print('found')\n")
    models.model("alpha").replies(calls(tool("read_file", path="app.py")), text("It prints."))
    client = await serve(config=team_config(models, *TEAM), trusted=True)
    launched = await client.command("teamwright.launch_run", task="What is printed here?", **ALONE)
    card = (await client.event("decision.requested"))["event"]["decision"]
    assert (card["detail"]["spec"]["contextPaths"], card["detail"]["files"]) == (
        read("."),
        [{"path": ".", "permission": "read", "count": 1}],
    )
    await client.command("teamwright.approve", decisionId=launched["decisionId"], choice="approve")
    assert (await finished(client))["result"]["text"] == "It prints."
    (seen,) = models.requests_to("alpha")[-1].tool_results
    assert "print('found')" in seen.text


@pytest.mark.proves("C8")
async def test_files_that_the_task_names_are_paths_of_the_run(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "src").mkdir()
    (workspace / "tests").mkdir()
    for name in ("src/app.py", "Makefile", ".env"):
        (workspace / name).write_text("x = 1\n")
    models.model("alpha").always(text("Done."))
    client = await serve(config=team_config(models, *TEAM, extra=NEVER_ASK), trusted=True)
    # What is closed, is not there or is only a word like a directory's name is none.
    task = "Compare src/app.py:1 with the Makefile, `src` and .env; write tests, ask nobody.py."
    await client.command("teamwright.launch_run", task=task, **ALONE)
    spec = (await client.event("run.started"))["event"]["spec"]
    assert spec["contextPaths"] == read(".", "src", "src/app.py", "Makefile")
    await finished(client)


@pytest.mark.proves("C8")
async def test_what_is_attached_is_shown_and_may_be_read_in_a_run_and_in_a_turn_for_the_team(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    """With paths of its own, too."""
    (workspace / "src").mkdir()
    (workspace / "app.py").write_text("first\nsecond\nthird\n")
    models.model("alpha").always(text("Done."))
    client = await serve(config=team_config(models, *TEAM, extra=NEVER_ASK), trusted=True)
    second = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 6}}
    attached = [{"uri": (workspace / "app.py").as_uri(), "range": second}]
    await client.command("teamwright.launch_run", task="Why?", attachments=attached, contextPaths=read("src"), **ALONE)
    await finished(client)
    modes = {"team": "always", "agentMode": "single", "agentId": "alpha"}
    await client.command("teamwright.chat", text="And why this?", attachments=attached, modes=modes)
    await client.event("turn.finished")
    specs = [r["event"]["spec"] for r in client.events if r["event"]["type"] == "run.started"]
    assert [spec["contextPaths"] for spec in specs] == [read("src", "app.py"), read(".", "app.py")]
    assert [("second" in spec["context"], "third" in spec["context"]) for spec in specs] == [(True, False)] * 2


@pytest.mark.proves("C8", "D1")
async def test_writing_is_offered_on_the_card_for_what_the_task_names(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    app = workspace / "app.py"
    app.write_text("wrong\n")
    models.model("alpha").replies(calls(tool("write_file", path="app.py", content="right\n")), text("Mended."))
    client = await serve(config=team_config(models, *TEAM), trusted=True)
    launched = await client.command("teamwright.launch_run", task="Mend app.py", **ALONE)
    card = (await client.event("decision.requested"))["event"]["decision"]
    opened = await client.command("teamwright.session.open", sessionId=launched["sessionId"])
    (entry,) = [each for each in opened["transcript"]["entries"] if each["entryId"] == card["decisionId"]]
    offered = {action["label"]: action for action in entry["actions"]}
    assert [*offered] == ["Approve", "Approve with changes to app.py", "Edit", "Cancel"]
    writing = offered["Approve with changes to app.py"]
    await client.command(writing["command"], **writing["arguments"])
    spec = (await client.event("run.started"))["event"]["spec"]
    assert spec["contextPaths"] == [{"path": ".", "permission": "read"}, {"path": "app.py", "permission": "write"}]
    changes = await client.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "changes")
    assert "+right" in changes["event"]["decision"]["detail"]["changes"][0]["diff"]
    await client.command("teamwright.cancel", runId=launched["runId"])
    await finished(client)


@pytest.mark.proves("A11", "E3")
async def test_project_instructions_reach_the_agents_of_every_run_of_a_trusted_workspace(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "AGENTS.md").write_text("Say everything in rhymes.\n")
    (workspace / "app.py").write_text("x = 1\n")
    models.model("alpha").always(text("Done."))
    config = team_config(models, "alpha", extra=NEVER_ASK)
    client = await serve(config=config, trusted=True)
    uri = (workspace / "app.py").as_uri()
    await client.command("teamwright.launch_run", task="Think.", refinement=False)
    await client.event("run.finished")
    session = (await client.command("teamwright.explain", uri=uri))["sessionId"]
    await client.event("run.finished", lambda r: r["sessionId"] == session)
    systems = [request.system for request in models.requests_to("alpha")]
    assert len(systems) >= 2
    assert ["Say everything in rhymes." in system for system in systems] == [True] * len(systems)

    stranger = await serve(config=config)
    launched = await stranger.command("teamwright.launch_run", task="Think.", refinement=False)
    await stranger.command("teamwright.approve", decisionId=launched["decisionId"], choice="approve")
    await stranger.event("run.finished")
    assert "rhymes" not in models.requests_to("alpha")[-1].system
