"""What a run writes, arriving in an editor: one edit, what was typed merged in, the truth told for each file."""

from pathlib import Path

import pytest

from tests.lsp.changing import approved, by_name, editing, proposed, question
from tests.support.doors import Serve, team_config
from tests.support.editing_client import edits_in
from tests.support.lsp_client import LspError
from tests.support.model_server import ModelServer, calls, text, tool

APPLIED = {"outcome": "applied"}
UNDONE = {"outcome": "applied", "reason": "undone"}


def put(workspace: Path, **files: str | bytes) -> list[Path]:
    """`a_txt` is the file `a.txt`."""
    paths = [workspace / name.replace("_", ".") for name in files]
    for path, content in zip(paths, files.values(), strict=True):
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return paths


def read(path: str) -> str:
    return Path(path).read_bytes().decode()


@pytest.mark.asyncio
@pytest.mark.proves("E4", "C8")
async def test_a_change_set_is_one_edit_of_the_editor_and_is_undone_as_one(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    shown, closed, gone, moved = put(
        workspace,
        shown_txt="one\r\n😀 two\r\n",
        closed_txt=b"\xef\xbb\xbf\xc3\xa9 1\n2\n",
        gone_txt="gone\n",
        old_txt="moved\n",
    )
    editor = await editing(serve, models)
    uri = await editor.open(shown)
    await editor.type(uri, "one", "ONE")
    run_id = await proposed(
        editor.client,
        models,
        tool("edit_file", path="shown.txt", old="two", new="three"),
        tool("edit_file", path="closed.txt", old="2", new="zwei"),
        tool("delete_file", path="gone.txt"),
        tool("delete_file", path="old.txt"),
        tool("write_file", path="moved.txt", content="moved\n"),
        tool("write_file", path="deep/er/new.txt", content="new\n"),
    )
    texts = await editor.client.command("teamwright.changes.open", runId=run_id, uri=uri)
    assert texts == {"before": "ONE\r\n😀 two\r\n", "after": "ONE\r\n😀 three\r\n"}

    names = ("shown.txt", "closed.txt", "gone.txt", "old.txt", "moved.txt", "new.txt")
    assert await approved(editor.client, run_id) == dict.fromkeys(names, APPLIED)
    (asked,) = editor.asked
    assert asked["label"] == "Teamwright: changes by alpha"
    assert asked["edit"]["changeAnnotations"] == {
        "teamwright": {"label": "Teamwright: alpha", "needsConfirmation": False}
    }
    assert edits_in(asked) == [
        ("rename", "old.txt", "moved.txt"),
        ("edit", "closed.txt", None, "zwei"),
        ("create", "new.txt"),
        ("edit", "new.txt", None, "new\n"),
        ("delete", "gone.txt"),
        ("edit", "shown.txt", 2, "hree"),
    ]
    assert editor.documents[uri].text == "ONE\r\n😀 three\r\n"
    assert editor.documents[closed.as_uri()].text == "é 1\nzwei\n"
    assert (gone.exists(), moved.exists(), (workspace / "moved.txt").read_bytes()) == (False, False, b"moved\n")
    finished = await editor.client.event("run.finished")
    assert set(finished["event"]["written"]) == {
        "shown.txt",
        "closed.txt",
        "gone.txt",
        "old.txt",
        "moved.txt",
        "deep/er/new.txt",
    }

    undone = await editor.client.command("teamwright.changes.undo", runId=run_id)
    assert by_name(undone["settled"]) == dict.fromkeys(names, UNDONE)
    assert len(editor.asked) == 2
    assert editor.documents[uri].text == "ONE\r\n😀 two\r\n"
    assert (editor.documents[gone.as_uri()].text, moved.read_bytes()) == ("gone\n", b"moved\n")
    assert not (workspace / "deep" / "er" / "new.txt").exists()


TWENTY = "".join(f"{number}\n" for number in range(20))
TWO_HUNKS = (("3\n4\n", "three\n4\n"), ("16\n", "sixteen\n"))
EDIT = tool("edit_file", path="a.txt", old="3\n4\n", new="three\n4\n")


@pytest.mark.asyncio
@pytest.mark.proves("E4")
async def test_what_was_typed_meanwhile_is_merged_or_the_file_is_left_alone_with_both_texts_kept(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (path,) = put(workspace, a_txt=TWENTY)
    editor = await editing(serve, models)
    uri = await editor.open(path)

    run_id = await proposed(editor.client, models, EDIT)
    await editor.type(uri, "10\n", "ten\n")

    async def types() -> None:
        await editor.type(uri, "15\n", "fifteen\n")

    editor.meanwhile = types
    assert await approved(editor.client, run_id) == {"a.txt": APPLIED}
    merged = TWENTY.replace("\n3\n", "\nthree\n").replace("10\n", "ten\n").replace("15\n", "fifteen\n")
    assert editor.documents[uri].text == merged
    assert [edits_in(asked)[0][2:] for asked in editor.asked] == [(2, "three"), (3, "three")], (
        "asked again, over the new text"
    )

    run_id = await proposed(editor.client, models, tool("edit_file", path="a.txt", old="7\n8\n", new="seven\n8\n"))
    await editor.type(uri, "7\n", "SEVEN\n")
    (settled,) = (await approved(editor.client, run_id)).values()
    assert settled["outcome"] == "conflicted"
    reason, _, kept = settled["reason"].partition("; the proposed text is kept in ")
    assert reason == "the same lines have been changed meanwhile"
    assert read(kept) == merged.replace("7\n", "seven\n", 1)
    assert editor.documents[uri].text == merged.replace("7\n", "SEVEN\n", 1)

    await editor.type(uri, "SEVEN\n", "7\n")
    applied = await editor.client.command("teamwright.changes.apply", runId=run_id)
    assert by_name(applied["settled"]) == {"a.txt": APPLIED}, "what was in conflict can be applied once it is not"
    await editor.type(uri, "seven\n", "seven!\n")
    undone = await editor.client.command("teamwright.changes.undo", runId=run_id)
    refusal = {"outcome": "conflicted", "reason": "the file has been changed since and is left as it is"}
    assert by_name(undone["settled"]) == {"a.txt": refusal}


@pytest.mark.asyncio
@pytest.mark.proves("E4")
async def test_an_editors_refusal_and_its_silence_are_told_as_they_are(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (path,) = put(workspace, a_txt=TWENTY)
    editor = await editing(serve, models)
    uri = await editor.open(path)

    run_id = await proposed(editor.client, models, EDIT)
    editor.refuses = "the file is being debugged"
    refusal = {"outcome": "rejected", "reason": "the editor refused: the file is being debugged"}
    assert await approved(editor.client, run_id) == {"a.txt": refusal}
    assert (await editor.client.event("run.finished"))["event"]["written"] == []

    run_id = await proposed(editor.client, models, EDIT)
    editor.refuses, editor.tells = None, False
    assert await approved(editor.client, run_id) == {"a.txt": {"outcome": "applied", "reason": "unverified"}}
    assert editor.documents[uri].text == TWENTY.replace("\n3\n", "\nthree\n")


@pytest.mark.asyncio
@pytest.mark.proves("E4")
async def test_files_and_hunks_are_chosen_by_approving_applying_and_discarding(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    a, b = put(workspace, a_txt=TWENTY, b_txt=TWENTY)
    editor = await editing(serve, models, unopened="writes")
    edits = [tool("edit_file", path=name, old=old, new=new) for name in ("a.txt", "b.txt") for old, new in TWO_HUNKS]

    run_id = await proposed(editor.client, models, *edits)
    with pytest.raises(LspError, match="has no hunk 2"):
        await approved(editor.client, run_id, [{"uri": a.as_uri(), "hunks": [2]}])
    settled = await approved(editor.client, run_id, [{"uri": a.as_uri(), "hunks": [1]}])
    assert settled == {"a.txt": APPLIED, "b.txt": {"outcome": "rejected", "reason": "not chosen"}}
    assert a.read_text(encoding="utf-8") == TWENTY.replace("16\n", "sixteen\n")
    assert b.read_text(encoding="utf-8") == TWENTY

    a.write_text(TWENTY, encoding="utf-8")
    run_id = await proposed(editor.client, models, *edits)
    dropped = await editor.client.command("teamwright.changes.discard", runId=run_id, files=[{"uri": b.as_uri()}])
    assert by_name(dropped["settled"]) == {"b.txt": {"outcome": "rejected", "reason": "discarded"}}
    applied = await editor.client.command(
        "teamwright.changes.apply", runId=run_id, files=[{"uri": a.as_uri(), "hunks": [0]}]
    )
    assert by_name(applied["settled"]) == {"a.txt": APPLIED, "b.txt": {"outcome": "rejected", "reason": "discarded"}}
    assert a.read_text(encoding="utf-8") == TWENTY.replace("\n3\n", "\nthree\n")
    with pytest.raises(LspError, match="Nothing of this run's changes is left") as again:
        await editor.client.command("teamwright.changes.apply", runId=run_id)
    assert again.value.code == 409

    run_id = await proposed(editor.client, models, *edits[2:])
    await editor.client.command("teamwright.changes.discard", runId=run_id)
    assert (await editor.client.event("run.finished", lambda r: r["runId"] == run_id))["event"][
        "outcome"
    ] == "completed"
    assert b.read_text(encoding="utf-8") == TWENTY


@pytest.mark.asyncio
@pytest.mark.proves("E4")
async def test_a_client_without_edits_has_its_files_written_on_disk_but_never_behind_an_open_window(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    a, b, locked = put(workspace, a_txt=b"\xef\xbb\xbf1\r\n", b_txt="1\n", locked_txt="1\n")
    locked.chmod(0o444)
    client = await serve(config=team_config(models, "alpha"))
    document = {"uri": b.as_uri(), "languageId": "text", "version": 1, "text": "1\n"}
    await client.notify("textDocument/didOpen", {"textDocument": document})
    names = ("a.txt", "b.txt", "locked.txt", "new/c.txt")
    run_id = await proposed(client, models, *(tool("write_file", path=name, content="2\n") for name in names))
    settled = await approved(client, run_id)
    assert {name: file["outcome"] for name, file in settled.items()} == {
        "a.txt": "applied",
        "b.txt": "conflicted",
        "locked.txt": "rejected",
        "c.txt": "applied",
    }
    assert settled["locked.txt"]["reason"] == "`locked.txt` is read-only and is left as it is."
    assert [path.read_bytes() for path in (a, b, locked, workspace / "new" / "c.txt")] == [
        b"\xef\xbb\xbf2\r\n",
        b"1\n",
        b"1\n",
        b"2\n",
    ]
    await client.notify("textDocument/didClose", {"textDocument": {"uri": b.as_uri()}})
    applied = await client.command("teamwright.changes.apply", runId=run_id)
    assert by_name(applied["settled"]) == {"b.txt": APPLIED}
    assert b.read_bytes() == b"2\n"


@pytest.mark.asyncio
@pytest.mark.proves("E4")
async def test_a_client_without_document_changes_gets_plain_ones(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (path,) = put(workspace, a_txt=TWENTY)
    editor = await editing(serve, models, document_changes=False)
    uri = await editor.open(path)
    run_id = await proposed(editor.client, models, EDIT, tool("write_file", path="new.txt", content="new\n"))
    assert await approved(editor.client, run_id) == {"a.txt": APPLIED, "new.txt": APPLIED}
    (asked,) = editor.asked
    assert list(asked["edit"]) == ["changes"]
    assert list(asked["edit"]["changes"]) == [uri]
    assert editor.documents[uri].text == TWENTY.replace("\n3\n", "\nthree\n")
    assert (workspace / "new.txt").read_bytes() == b"new\n"


@pytest.mark.asyncio
@pytest.mark.proves("A4", "E4")
async def test_the_assistant_is_told_what_was_refused_and_what_was_taken_back_later(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    shown, closed = put(workspace, a_txt=TWENTY, b_txt=TWENTY)
    editor = await editing(serve, models, unopened="writes")
    uri = await editor.open(shown)
    edits = [tool("edit_file", path=name, old="3\n4\n", new="three\n4\n") for name in ("a.txt", "b.txt")]
    launch = tool(
        "launch_run", task="Change it.", agent_mode="single", context_paths=[{"path": ".", "permission": "write"}]
    )
    models.model("alpha").replies(
        calls(launch), calls(*edits), text("Changed."), text("One was refused."), text("It is undone.")
    )
    chat = await editor.client.command("teamwright.chat", text="Change both.")
    asked = await editor.client.event("decision.requested")
    await editor.client.command(
        "teamwright.approve", decisionId=asked["event"]["decision"]["decisionId"], choice="approve"
    )
    run_id = (await editor.client.event("run.started"))["runId"]
    await question(editor.client, run_id)
    await editor.type(uri, "3\n4\n", "THREE\n4\n")
    await approved(editor.client, run_id)
    await editor.client.event("turn.finished")
    (result,) = models.requests_to("alpha")[3].tool_results
    assert "- a.txt: conflicted (the same lines have been changed meanwhile; " in result.text
    assert "- b.txt: applied" in result.text

    await editor.client.command("teamwright.changes.undo", runId=run_id)
    again = await editor.client.command("teamwright.chat", text="And now?", sessionId=chat["sessionId"])
    await editor.client.event("turn.finished", lambda r: r["turnId"] == again["turnId"])
    said = [words for _, words in models.requests_to("alpha")[4].messages]
    assert any("b.txt rejected (undone)" in words for words in said)
    assert closed.read_text(encoding="utf-8") == TWENTY
