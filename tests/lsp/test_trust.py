"""Trust: before it nothing of the workspace counts; it is given and taken while the server runs."""

from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient
from tests.support.model_server import ModelServer, text


async def trust(client: LspClient, *, trusted: bool) -> None:
    """And the server has said that it holds."""
    before = len(client.events)
    await client.notify("workspace/didChangeConfiguration", {"settings": {"quorate": {"trusted": trusted}}})
    words = "is trusted:" if trusted else "is not trusted:"
    await client.event("notice.raised", lambda r: r in client.events[before:] and words in r["event"]["text"])


async def said(client: LspClient, words: str) -> Json:
    turn = await client.command("quorate.chat", text=words)
    return (await client.event("turn.finished", lambda r: r["turnId"] == turn["turnId"]))["event"]


@pytest.mark.asyncio
@pytest.mark.proves("A11", "D1")
async def test_trust_takes_effect_without_a_restart_and_goes_as_it_came(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "AGENTS.md").write_text("Always answer in rhyme.", encoding="utf-8")
    (workspace / "quorate.yaml").write_text(
        "orchestrator: {interactive_mode: {append_system_prompt: Be like the workspace., max_steps: 3}}\n",
        encoding="utf-8",
    )
    config = team_config(models, "alpha", extra="orchestrator: {interactive_mode: {require_approval: false}}\n")
    client = await serve(config=config)
    models.model("alpha").always(text("Yes."))

    assert (await said(client, "One?"))["outcome"] == "completed"
    notice = await client.event("notice.raised")
    assert notice["event"]["text"].endswith("quorate.yaml:1:1: (file): not read, trust this workspace to use it")
    assert (await client.command("quorate.status"))["trusted"] is False
    launched = await client.command("quorate.launch_run", task="Do it.", agentMode="single")
    asked = await client.event("decision.requested")
    assert asked["event"]["decision"]["decisionId"] == launched["decisionId"]
    assert "not trusted" in asked["event"]["decision"]["detail"]["reason"]

    await trust(client, trusted=True)
    assert (await said(client, "Two?"))["outcome"] == "completed"
    assert (await client.command("quorate.status"))["trusted"] is True
    assert (await client.command("quorate.status"))["limits"]["maxSteps"] == 3
    assert "decisionId" not in await client.command("quorate.launch_run", task="Do it.", agentMode="single")

    await trust(client, trusted=False)
    assert (await said(client, "Three?"))["outcome"] == "completed"
    assert (await client.command("quorate.status"))["limits"]["maxSteps"] == 10
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
    own = workspace / "quorate.yaml"
    own.write_text("orchestrator: {interactive_mode: {max_steps: 4}}\n", encoding="utf-8")
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    assert (await client.command("quorate.status"))["limits"]["maxSteps"] == 4

    own.write_text("orchestrator: {interactive_mode: {max_steps: many}}\n", encoding="utf-8")
    await client.notify("textDocument/didSave", {"textDocument": {"uri": own.as_uri()}})
    fault = await client.event("notice.raised", lambda r: r["event"]["level"] == "error")
    assert "max_steps" in fault["event"]["text"]
    assert (await client.command("quorate.status"))["limits"]["maxSteps"] == 4

    own.write_text("orchestrator: {interactive_mode: {max_steps: 5}}\n", encoding="utf-8")
    changed = {"changes": [{"uri": own.as_uri(), "type": 2}]}
    await client.notify("workspace/didChangeWatchedFiles", changed)
    await client.event("notice.raised", lambda r: "it holds from the next turn on" in r["event"]["text"])
    assert (await client.command("quorate.status"))["limits"]["maxSteps"] == 5
