"""What agents read is what is on the screen, wherever the file lies and however the editor counts."""

from pathlib import Path

import pytest

from tests.lsp.changing import approved, editing, proposed
from tests.support.doors import Serve
from tests.support.lsp_client import Json, LspError
from tests.support.model_server import ModelServer, calls, text, tool


@pytest.mark.asyncio
@pytest.mark.proves("C8", "E4")
@pytest.mark.parametrize("unit", ["utf-8", "utf-16", "utf-32"])
async def test_unsaved_text_is_read_and_changed_in_every_position_encoding(
    serve: Serve, models: ModelServer, workspace: Path, unit: str
) -> None:
    path = workspace / "a.txt"
    path.write_bytes(b"on disk\r\n")
    editor = await editing(serve, models, unit=unit)
    uri = await editor.open(path, "äé😀 first\r\n🎉 second\rthird 👩‍👩‍👧 x\n")
    await editor.type(uri, "first", "1️⃣st")
    await editor.type(uri, " second\r", "🎉 2nd\rhalf")
    await editor.type(uri, "👧 x", "👧 y😀z")
    run_id = await proposed(
        editor.client,
        models,
        tool("read_file", path="a.txt"),
        tool("edit_file", path="a.txt", old="y😀z", new="y😀Ω"),
        tool("edit_file", path="a.txt", old="1️⃣st", new="1️⃣. 😀"),
    )
    result = models.requests_to("alpha")[1].tool_results[0].text
    assert [line for line in ("äé😀 1️⃣st", "🎉🎉 2nd", "halfthird 👩‍👩‍👧 y😀z") if line not in result] == []
    assert await approved(editor.client, run_id) == {"a.txt": {"outcome": "applied"}}
    assert editor.documents[uri].text == "äé😀 1️⃣. 😀\r\n🎉🎉 2nd\rhalfthird 👩‍👩‍👧 y😀Ω\n"
    assert path.read_bytes() == b"on disk\r\n", "saving is the user's"


@pytest.mark.asyncio
@pytest.mark.proves("C8", "E4")
async def test_several_folders_of_any_name_are_opened_read_changed_and_closed(
    serve: Serve, models: ModelServer, workspace: Path, tmp_path: Path
) -> None:
    real, spaced = tmp_path / "real", tmp_path / "größer als # 100%"
    link, late = tmp_path / "link", tmp_path / "späte"
    for folder in (real, spaced, late):
        folder.mkdir()
        (folder / "a b.txt").write_bytes(b"one\n")
    link.symlink_to(real, target_is_directory=True)
    editor = await editing(
        serve,
        models,
        folders={workspace.as_uri(): "workspace", spaced.as_uri(): "spaced", link.as_uri(): "linked"},
    )
    # An editor may name a file below a linked folder by its real path.
    through_link = await editor.open(real / "a b.txt", "shown\n")
    event = {"added": [{"uri": late.as_uri(), "name": "late"}], "removed": [{"uri": spaced.as_uri(), "name": "spaced"}]}
    models.model("alpha").replies(calls(tool("read_file", path="spaced/a b.txt")), text("Read."))
    reading: Json = {"task": "Read it.", "agentMode": "single", "approval": "given"}
    reading["contextPaths"] = [{"path": "spaced", "permission": "read"}]
    await editor.client.command("teamwright.launch_run", **reading)
    await editor.client.event("run.finished")
    assert "one" in models.requests_to("alpha")[1].tool_results[0].text

    await editor.client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    with pytest.raises(LspError, match="'spaced' does not exist"):
        await editor.client.command("teamwright.launch_run", **reading)
    run_id = await proposed(
        editor.client,
        models,
        tool("edit_file", path="linked/a b.txt", old="shown", new="changed"),
        tool("edit_file", path="late/a b.txt", old="one", new="two"),
        paths=("linked", "late"),
    )
    await approved(editor.client, run_id)
    assert editor.documents[through_link].text == "changed\n"
    assert editor.documents[(late / "a b.txt").as_uri()].text == "two\n"
    finished = await editor.client.event("run.finished", lambda r: r["runId"] == run_id)
    assert finished["event"]["written"] == ["late/a b.txt", "linked/a b.txt"]
