"""What is open in an editor, and which folders are: neither leads to what is closed."""

import os
from pathlib import Path

import pytest

from tests.lsp.changing import approved, editing, proposed
from tests.support.doors import Serve, team_config
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("kind", ["link", "hard link"])
async def test_a_link_that_is_open_is_not_written_through(
    serve: Serve, models: ModelServer, workspace: Path, tmp_path: Path, kind: str
) -> None:
    outside, inside = tmp_path / "outside.txt", workspace / "notes.txt"
    outside.write_text("precious\n", encoding="utf-8")
    inside.write_text("old\n", encoding="utf-8")
    client = await editing(serve, models, trusted=True)
    run_id = await proposed(client.client, models, tool("write_file", path="notes.txt", content="new\n"))
    inside.unlink()
    if kind == "link":
        inside.symlink_to(outside)
    else:
        os.link(outside, inside)
    await client.open(inside, "old\n")

    settled = await approved(client.client, run_id)

    assert settled["notes.txt"]["outcome"] == "rejected"
    assert (outside.read_text(encoding="utf-8"), client.asked) == ("precious\n", [])


async def test_a_root_that_holds_everything_is_not_opened(
    serve: Serve, models: ModelServer, tmp_path: Path, workspace: Path
) -> None:
    (tmp_path / "outside.txt").write_text("private words", encoding="utf-8")
    outside = str(tmp_path / "outside.txt")
    models.model("alpha").replies(calls(tool("read_file", path=outside)), text("No."))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    added = [{"uri": "file:///", "name": "all"}, {"uri": "file:///etc", "name": "etc"}]
    await client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": []}})
    notice = await client.event("notice.raised", lambda r: r["event"]["text"].startswith("/ is not opened"))
    assert notice["event"]["level"] == "error"
    await client.command("teamwright.chat", text="Read it.")
    await client.event("turn.finished")

    assert not any("private words" in said for said in models.requests_to("alpha")[-1].tool_results)


@pytest.mark.parametrize("paths", ["[]", "null"])
async def test_a_workspace_takes_none_of_the_users_protection_away(
    serve: Serve, models: ModelServer, workspace: Path, paths: str
) -> None:
    (workspace / "teamwright.yaml").write_text(f"orchestrator: {{context_paths: {paths}}}\n", encoding="utf-8")
    (workspace / "kept.txt").write_text("old\n", encoding="utf-8")
    own = "orchestrator: {context_paths: [{path: ., permission: write, protected_paths: [kept.txt]}]}\n"
    models.model("alpha").replies(calls(tool("write_file", path="kept.txt", content="new\n")), text("Done."))
    user_file = workspace.parent / "no-user-config.yaml"
    user_file.write_text(team_config(models, "alpha", extra=own), encoding="utf-8")
    client = await serve(trusted=True)
    await client.command(
        "teamwright.launch_run",
        task="Change it.",
        agentMode="single",
        refinement=False,
        contextPaths=[{"path": ".", "permission": "write"}],
        approval="given",
    )
    await client.event("run.finished")

    call = next(
        r["event"]["item"]
        for r in client.events
        if r["event"]["type"] == "item.finished" and r["event"]["item"]["kind"] == "tool_call"
    )
    assert (call["status"], "protected" in call["error"]) == ("failed", True)
