"""Trust: before it nothing of the workspace counts; it is given and taken while the server runs."""

from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, calls, text, tool


async def trust(client: LspClient, *, trusted: bool) -> None:
    """And the server has said that it holds."""
    before = len(client.events)
    await client.notify("workspace/didChangeConfiguration", {"settings": {"teamwright": {"trusted": trusted}}})
    words = "is trusted:" if trusted else "is not trusted:"
    await client.event("notice.raised", lambda r: r in client.events[before:] and words in r["event"]["text"])


async def said(client: LspClient, words: str) -> Json:
    turn = await client.command("teamwright.chat", text=words)
    return (await client.event("turn.finished", lambda r: r["turnId"] == turn["turnId"]))["event"]


@pytest.mark.asyncio
@pytest.mark.proves("A11", "D1")
async def test_trust_takes_effect_without_a_restart_and_goes_as_it_came(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "AGENTS.md").write_text("Always answer in rhyme.", encoding="utf-8")
    (workspace / "teamwright.yaml").write_text(
        "orchestrator: {interactive_mode: {append_system_prompt: Be like the workspace., max_steps: 3}}\n",
        encoding="utf-8",
    )
    config = team_config(models, "alpha", extra="orchestrator: {interactive_mode: {require_approval: false}}\n")
    client = await serve(config=config)
    models.model("alpha").always(text("Yes."))

    assert (await said(client, "One?"))["outcome"] == "completed"
    notice = await client.event("notice.raised")
    assert "teamwright.yaml:1:1: (file): not read, trust this workspace to use it" in notice["event"]["text"]
    assert (await client.command("teamwright.status"))["trusted"] is False
    launched = await client.command("teamwright.launch_run", task="Do it.", agentMode="single")
    asked = await client.event("decision.requested")
    assert asked["event"]["decision"]["decisionId"] == launched["decisionId"]
    assert "not trusted" in asked["event"]["decision"]["detail"]["reason"]

    await trust(client, trusted=True)
    assert (await said(client, "Two?"))["outcome"] == "completed"
    assert (await client.command("teamwright.status"))["trusted"] is True
    assert (await client.command("teamwright.status"))["limits"]["maxSteps"] == 3
    assert "decisionId" not in await client.command("teamwright.launch_run", task="Do it.", agentMode="single")

    await trust(client, trusted=False)
    assert (await said(client, "Three?"))["outcome"] == "completed"
    assert (await client.command("teamwright.status"))["limits"]["maxSteps"] == 10
    prompts = [request.system for request in models.requests_to("alpha") if "# The team" in request.system]
    assert [("in rhyme" in prompt, "Be like the workspace." in prompt) for prompt in prompts] == [
        (False, False),
        (True, True),
        (False, False),
    ]


@pytest.mark.asyncio
@pytest.mark.proves("E8")
async def test_a_saved_configuration_holds_for_the_next_turn_and_a_faulty_one_changes_nothing(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    own = workspace / "teamwright.yaml"
    own.write_text("orchestrator: {interactive_mode: {max_steps: 4}}\n", encoding="utf-8")
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    assert (await client.command("teamwright.status"))["limits"]["maxSteps"] == 4

    own.write_text("orchestrator: {interactive_mode: {max_steps: many}}\n", encoding="utf-8")
    await client.notify("textDocument/didSave", {"textDocument": {"uri": own.as_uri()}})
    fault = await client.event("notice.raised", lambda r: r["event"]["level"] == "error")
    assert "max_steps" in fault["event"]["text"]
    assert (await client.command("teamwright.status"))["limits"]["maxSteps"] == 4

    own.write_text("orchestrator: {interactive_mode: {max_steps: 5}}\n", encoding="utf-8")
    changed = {"changes": [{"uri": own.as_uri(), "type": 2}]}
    await client.notify("workspace/didChangeWatchedFiles", changed)
    await client.event("notice.raised", lambda r: "it holds from the next turn on" in r["event"]["text"])
    assert (await client.command("teamwright.status"))["limits"]["maxSteps"] == 5


@pytest.mark.asyncio
@pytest.mark.proves("C9", "D1")
@pytest.mark.parametrize(
    "user_wants", ["apply_changes: auto", "autonomy: autonomous", "apply_changes: auto, resume: auto"]
)
async def test_an_untrusted_workspace_is_never_written_to_unasked(
    serve: Serve, models: ModelServer, workspace: Path, user_wants: str
) -> None:
    source = workspace / "greet.py"
    source.write_text("helo\n", encoding="utf-8")
    config = team_config(models, "alpha", extra=f"orchestrator: {{interactive_mode: {{{user_wants}}}}}\n")
    client = await serve(config=config)

    async def fixed() -> Json:
        models.model("alpha").replies(calls(tool("write_file", path="greet.py", content="hello\n")), text("Fixed."))
        launched = await client.command(
            "teamwright.launch_run",
            task="Fix it.",
            agentMode="single",
            approval="given",
            contextPaths=[{"path": "greet.py", "permission": "write"}],
        )
        started = await client.event("run.started", lambda r: r["runId"] == launched["runId"])
        assert started["event"]["executePlan"] == ("auto" if "autonomous" in user_wants and is_trusted else "ask")
        return started

    is_trusted = False
    started = await fixed()
    assert started["event"]["applyChanges"] == "ask", "what was judged is a fact of the run"
    asked = await client.event("decision.requested", lambda r: r["event"]["decision"]["kind"] == "changes")
    decision_id = asked["event"]["decision"]["decisionId"]
    status = await client.command("teamwright.status")
    assert [each["decisionId"] for each in status["decisions"]] == [decision_id], "it waits for a person"
    assert source.read_text(encoding="utf-8") == "helo\n"
    await client.command("teamwright.approve", decisionId=decision_id, choice="cancel")
    await client.event("run.finished", lambda r: r["runId"] == started["runId"])
    assert source.read_text(encoding="utf-8") == "helo\n"

    await trust(client, trusted=True)
    is_trusted = True
    started = await fixed()
    assert started["event"]["applyChanges"] == "auto"
    await client.event("run.finished", lambda r: r["runId"] == started["runId"])
    assert source.read_text(encoding="utf-8") == "hello\n", "in a trusted one it is as the user wants it"
