"""Changes that outlive the run or the server that proposed them: nothing is lost, and nothing is done twice."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.changing import by_name, editing, proposed, question
from tests.support.doors import Serve
from tests.support.lsp_client import LspError
from tests.support.model_server import ModelServer, calls, text, tool
from tests.support.patience import PATIENCE_SECONDS

APPLIED = {"outcome": "applied"}
EDIT = tool("edit_file", path="a.txt", old="one", new="two")


def texts(workspace: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(workspace.glob("*.txt"))]


@pytest.mark.asyncio
@pytest.mark.proves("E4", "D6")
@pytest.mark.parametrize("got_through", [True, False], ids=["after the edit", "before the edit"])
async def test_a_crash_in_the_middle_of_applying_leaves_the_change_applied_exactly_once(
    serve: Serve, models: ModelServer, workspace: Path, got_through: bool
) -> None:
    path = workspace / "a.txt"
    path.write_bytes(b"one\n")
    editor = await editing(serve, models)
    uri = await editor.open(path)
    run_id = await proposed(editor.client, models, EDIT)
    asked = asyncio.Event()

    async def stops_answering(params: Any) -> None:
        if got_through:
            await editor.apply(params)
        asked.set()
        await asyncio.Event().wait()

    editor.client.answers["workspace/applyEdit"] = stops_answering
    decision_id = await question(editor.client, run_id)
    await editor.client.command("teamwright.approve", decisionId=decision_id, choice="approve")
    async with asyncio.timeout(PATIENCE_SECONDS):
        await asked.wait()
    await editor.client.kill()

    shown = editor.documents[uri].text
    assert shown == ("two\n" if got_through else "one\n")
    again = await editing(serve, models)
    await again.open(path, shown)
    (session,) = (await again.client.command("teamwright.session.list"))["sessions"]
    await again.client.command("teamwright.session.open", sessionId=session["sessionId"])
    settled = await again.client.event("changes.settled")
    assert by_name(settled["event"]["settled"]) == {"a.txt": APPLIED}
    assert len(again.asked) == (0 if got_through else 1)
    assert again.documents[uri].text == "two\n"
    assert (await again.client.event("run.finished"))["event"]["written"] == ["a.txt"]

    await again.client.command("teamwright.changes.undo", runId=run_id)
    assert again.documents[uri].text == "one\n"


@pytest.mark.asyncio
@pytest.mark.proves("E4")
async def test_what_a_cancelled_run_leaves_behind_is_applied_discarded_and_undone_later(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (workspace / name).write_bytes(b"one\n")
    editor = await editing(serve, models, unopened="writes")
    speaking = models.gate("speaking")
    other = tool("edit_file", path="b.txt", old="one", new="two")
    models.model("alpha").replies(calls(EDIT, other), text("Do", "ne.").waits_for(speaking, at=1))
    run = await editor.client.command(
        "teamwright.launch_run",
        task="Change it.",
        agentMode="single",
        contextPaths=[{"path": ".", "permission": "write"}],
        approval="given",
    )
    run_id = run["runId"]
    await editor.client.event("item.delta")
    with pytest.raises(LspError, match="still at work"):
        await editor.client.command("teamwright.changes.apply", runId=run_id)
    await editor.client.command("teamwright.cancel", runId=run_id)
    finished = await editor.client.event("run.finished")
    assert (finished["event"]["outcome"], finished["event"]["written"]) == ("cancelled", [])
    changes = (await editor.client.event("changes.proposed"))["event"]["changes"]
    a, b = sorted(change["uri"] for change in changes)

    applied = await editor.client.command("teamwright.changes.apply", runId=run_id, files=[{"uri": a}])
    assert by_name(applied["settled"]) == {"a.txt": APPLIED}
    told = await editor.client.event("changes.settled")
    assert (told["runId"], by_name(told["event"]["settled"])) == (run_id, {"a.txt": APPLIED})
    dropped = await editor.client.command("teamwright.changes.discard", runId=run_id)
    assert by_name(dropped["settled"]) == {"b.txt": {"outcome": "rejected", "reason": "discarded"}}
    with pytest.raises(LspError, match="settled: applied") as again:
        await editor.client.command("teamwright.changes.discard", runId=run_id, files=[{"uri": a}])
    assert again.value.code == 409
    assert texts(workspace) == [b"two\n", b"one\n"]

    undone = await editor.client.command("teamwright.changes.undo", runId=run_id)
    assert by_name(undone["settled"]) == {"a.txt": {"outcome": "applied", "reason": "undone"}}
    assert texts(workspace) == [b"one\n", b"one\n"]
    with pytest.raises(LspError, match="left to undo"):
        await editor.client.command("teamwright.changes.undo", runId=run_id)
    with pytest.raises(LspError, match="proposes no change"):
        await editor.client.command("teamwright.changes.open", runId=run_id, uri=b + ".old")
