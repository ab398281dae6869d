"""A run that has ended goes on with a new instruction: the same agents, their conversations, answers and changes."""

from pathlib import Path

import pytest

from tests.runtime.lines import gives, votes
from tests.support.doors import Serve, team_config
from tests.support.drawn import DrawnTranscript
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, calls, text, tool

QUIET = "orchestrator: {interactive_mode: {require_approval: false, apply_changes: ask, override: 'off'}}\n"


def actions_of(transcript: Json, kind: str) -> dict[str, Json]:
    (entry,) = DrawnTranscript(transcript).of_kind(kind)
    return {action["label"]: action for action in entry["actions"]}


async def ended(client: LspClient, run_id: str) -> Json:
    record = await client.event("run.finished", lambda each: each["runId"] == run_id)
    return record["event"]


@pytest.mark.asyncio
@pytest.mark.proves("C13")
async def test_a_finished_run_goes_on_with_its_answers_and_conversations(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(
        calls(tool("list_files", path=".")),
        gives("Alpha's first thought."),
        votes("agent1"),
        text("Alpha presents."),
        gives("Alpha's second thought."),
        votes("agent1"),
        text("Alpha presents anew."),
    )
    models.model("beta").replies(gives("Beta's first thought."), votes("agent1"), votes("agent1"), votes("agent1"))
    client = await serve(config=team_config(models, "alpha", "beta", extra=QUIET), trusted=True, transcript=True)
    first = await client.command("teamwright.launch_run", task="Think.")
    await ended(client, first["runId"])
    opened = await client.command("teamwright.session.open", sessionId=first["sessionId"])
    go_on = actions_of(opened["transcript"], "run")["Continue"]
    asked_before = len(models.requests_to("alpha"))

    second = await client.command(go_on["command"], **go_on["arguments"], instructions="Now think of the empty case.")
    finished = await ended(client, second["runId"])

    assert finished["result"]["text"] == "Alpha presents anew."
    request = models.requests_to("alpha")[asked_before]
    said = [words for role, words in request.messages if role == "assistant"]
    assert "Alpha presents." in said
    assert [call.name for call in request.tool_calls] == ["list_files", "new_answer", "vote"]
    assert "Alpha's first thought." in request.messages[-1][1]
    assert "Beta's first thought." in request.messages[-1][1]
    assert "Now think of the empty case." in request.messages[-1][1]
    started = next(
        r["event"]["spec"]
        for r in client.events
        if r["event"]["type"] == "run.started" and r["runId"] == second["runId"]
    )
    assert (started["continues"], started["task"]) == (first["runId"], "Now think of the empty case.")


@pytest.mark.asyncio
@pytest.mark.proves("C13")
async def test_a_cancelled_run_goes_on_from_what_it_had_written(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "notes.txt").write_text("one\n", encoding="utf-8")
    gate = models.gate("beta")
    writes = calls(tool("edit_file", path="notes.txt", old="one", new="two"))
    models.model("alpha").replies(writes, gives("Two."), calls(tool("read_file", path="notes.txt")), votes("agent1"))
    models.model("alpha").always(text("It says two."))
    models.model("beta").replies(text("Never.").waits_for(gate), gives("Nothing."), votes("agent1"))
    client = await serve(config=team_config(models, "alpha", "beta", extra=QUIET), trusted=True)
    paths = [{"path": "notes.txt", "permission": "write"}]
    first = await client.command("teamwright.launch_run", task="Write two.", contextPaths=paths)
    await gate.reached()
    await client.event("answer.submitted")
    with pytest.raises(LspError, match="under way"):
        await client.command("teamwright.run.continue", runId=first["runId"], instructions="Go on.")
    await client.command("teamwright.cancel", runId=first["runId"])
    await ended(client, first["runId"])
    gate.release()

    second = await client.command("teamwright.run.continue", runId=first["runId"])
    proposed = await client.event("changes.proposed", lambda record: record["runId"] == second["runId"])
    assert "+two" in proposed["event"]["changes"][0]["diff"]
    read = [result.text for request in models.requests_to("alpha") for result in request.tool_results]
    assert "1\ttwo" in read


@pytest.mark.asyncio
@pytest.mark.proves("C13")
async def test_an_interrupted_run_is_resumed_by_its_name(serve: Serve, models: ModelServer) -> None:
    gate = models.gate("slow")
    models.model("alpha").replies(text("Lost.").waits_for(gate), text("Found."))
    config = team_config(models, "alpha", extra=QUIET)
    client = await serve(config=config, trusted=True)
    run = await client.command("teamwright.launch_run", task="Look.", agentMode="single")
    await gate.reached()
    with pytest.raises(LspError, match="it is under way"):
        await client.command("teamwright.run.resume", runId=run["runId"])
    await client.kill()
    gate.release()
    client = await serve(config=config, trusted=True)
    assert await client.command("teamwright.run.resume", runId=run["runId"]) == {"runId": run["runId"]}
    assert (await ended(client, run["runId"]))["result"]["text"] == "Found."
    with pytest.raises(LspError, match="continue it"):
        await client.command("teamwright.run.resume", runId=run["runId"])
