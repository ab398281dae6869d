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


@pytest.mark.parametrize("kind", ["the home itself", "a link to it"])
async def test_of_a_home_what_programs_keep_there_is_closed(
    serve: Serve, models: ModelServer, tmp_path: Path, kind: str
) -> None:
    home = tmp_path / "home"
    for path in (".config/app/settings.ini", ".ssh/config", "Library/Mail/x.txt", ".bashrc", "work/notes.txt"):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(f"words of {path}\n", encoding="utf-8")
    opened = home if kind == "the home itself" else tmp_path / "link"
    if opened != home:
        opened.symlink_to(home)
    paths = ["work/notes.txt", ".config/app/settings.ini", ".ssh/config", "Library/Mail/x.txt", ".bashrc"]
    looks = [tool("read_file", path=path) for path in paths]
    models.model("alpha").replies(calls(*looks, tool("search_files", pattern="words of")), text("No."))
    client = await serve(
        config=team_config(models, "alpha"), trusted=True, env={"HOME": str(home)}, folders={opened.as_uri(): "home"}
    )
    await client.command("teamwright.chat", text="Read it all.")
    await client.event("turn.finished")
    *read, found = (result.text for result in models.requests_to("alpha")[-1].tool_results)
    assert ["words of" in text for text in read] == [True, False, False, False, False]
    assert [path for path in paths if f"words of {path}" in found] == ["work/notes.txt"]


@pytest.mark.parametrize("path", ["/", "/proc/self", "/etc", "{home}/..", "{home}/.ssh", "{link}"])
async def test_what_holds_more_than_a_project_is_opened_by_no_door(
    serve: Serve, models: ModelServer, tmp_path: Path, path: str
) -> None:
    """Neither as the first folder nor by a name that only leads there."""
    home = tmp_path / "people" / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "config").write_text("private words\n", encoding="utf-8")
    (tmp_path / "link").symlink_to("/")
    named = path.format(home=home, link=tmp_path / "link")
    outside = str(home / ".ssh" / "config")
    models.model("alpha").replies(calls(tool("read_file", path=outside), tool("list_files", path=".")), text("No."))
    client = await serve(
        config=team_config(models, "alpha"), trusted=True, env={"HOME": str(home)}, folders={f"file://{named}": "all"}
    )
    notice = await client.event("notice.raised", lambda r: "is not opened" in r["event"]["text"])
    assert notice["event"]["level"] == "error"
    await client.command("teamwright.chat", text="Read it.")
    await client.event("turn.finished")
    read, listed = (result.text for result in models.requests_to("alpha")[-1].tool_results)
    assert (read.startswith("Error: "), "private words" in read, "etc" in listed) == (True, False, False)
