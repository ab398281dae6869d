"""What the team wants to change: reviewed as a diff, made by the editor, undone like any edit."""

from pathlib import Path

import pytest

from tests.runtime.lines import gives, votes
from tests.support.doors import team_config
from tests.support.model_server import ModelServer, calls, text, tool
from tests.support.model_server.replies import ToolCall
from tests.support.neovim.door import Nvim
from tests.support.neovim.editor import Neovim

pytestmark = pytest.mark.asyncio

MAY_WRITE = "orchestrator: {context_paths: [{path: ., permission: write}]}\n"
NUMBERS = "".join(f"{number:02}\n" for number in range(1, 41))


async def proposes(nvim: Nvim, models: ModelServer, *writes: ToolCall, opens: str = "") -> Neovim:
    """An editor whose user sees what the team wants to change."""
    models.model("alpha").replies(gives("I would."), votes("agent1"), calls(*writes), text("Done."))
    editor = await nvim(config=team_config(models, "alpha", extra=MAY_WRITE), opens=opens)
    await editor.command("Teamwright run Change it.")
    await editor.shows("▎⚑ Run: Change it.")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("▎⚑ Changes to", "Apply / Discard")
    return editor


@pytest.mark.proves("E4", "E2")
async def test_hunks_are_accepted_and_refused_one_by_one_and_undone_in_one_step(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (workspace / name).write_text(NUMBERS, encoding="utf-8")
    editor = await proposes(
        nvim,
        models,
        tool("edit_file", path="a.txt", old="02\n", new="two\n"),
        tool("edit_file", path="a.txt", old="38\n", new="thirty-eight\n"),
        tool("edit_file", path="b.txt", old="05\n06\n", new="five\nsix\nsix and a half\n"),
        opens="a.txt",
    )
    await editor.command("Teamwright changes")
    await editor.shows("a.txt · file 1 of 2", "1/2 undecided", "2/2 undecided", "thirty-eight")
    hunks = await editor.lua("return vim.tbl_map(function(each) return each.lnum end, vim.fn.getqflist())")
    assert hunks == [1, 35, 2]
    await editor.keys("a")
    await editor.shows("1/2 ✓ accepted")
    await editor.keys("x")
    await editor.shows("b.txt · file 2 of 2", "six and a half")
    await editor.keys("A")
    await editor.shows("1/1 ✓ accepted")
    await editor.keys("[f")
    await editor.shows("1/2 ✓ accepted", "2/2 ✗ refused")
    await editor.keys("s")
    await editor.shows("▎✓ Changed 2 files", "✓ a.txt", "✓ b.txt")

    changed = NUMBERS.replace("02\n", "two\n")
    await editor.becomes("table.concat(vim.fn.getbufline('a.txt', 1, '$'), '\\n') .. '\\n'", changed)
    assert (workspace / "a.txt").read_text(encoding="utf-8") == NUMBERS, "an open file is the user's to save"
    assert "six and a half" in (workspace / "b.txt").read_text(encoding="utf-8")
    await editor.keys("u")
    await editor.becomes("table.concat(vim.fn.getbufline('a.txt', 1, '$'), '\\n') .. '\\n'", NUMBERS)


@pytest.mark.proves("E4")
async def test_the_editor_makes_nothing_of_a_change_that_does_not_fit_and_says_so(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    (workspace / "a.txt").write_text(NUMBERS, encoding="utf-8")
    (workspace / "locked.txt").write_text(NUMBERS, encoding="utf-8")
    editor = await proposes(
        nvim,
        models,
        tool("edit_file", path="a.txt", old="02\n", new="two\n"),
        tool("edit_file", path="locked.txt", old="03\n", new="three\n"),
        opens="locked.txt",
    )
    await editor.command("setlocal nomodifiable")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("not applied", "■ a.txt", "the editor refused: locked.txt", "■ locked.txt")
    assert (workspace / "a.txt").read_text(encoding="utf-8") == NUMBERS


@pytest.mark.proves("E4")
async def test_what_was_applied_is_taken_back_as_a_whole(nvim: Nvim, models: ModelServer, workspace: Path) -> None:
    (workspace / "a.txt").write_text(NUMBERS, encoding="utf-8")
    (workspace / "old.txt").write_text("moved\n", encoding="utf-8")
    editor = await proposes(
        nvim,
        models,
        tool("edit_file", path="a.txt", old="02\n", new="two\n"),
        tool("write_file", path="deep/new.txt", content="new\n"),
        tool("delete_file", path="old.txt"),
        tool("write_file", path="moved.txt", content="moved\n"),
        opens="a.txt",
    )
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("✓ a.txt", "✓ deep/new.txt", "✓ moved.txt", "✓ Completed")
    assert (workspace / "deep/new.txt").read_text(encoding="utf-8") == "new\n"
    assert ((workspace / "old.txt").exists(), (workspace / "moved.txt").exists()) == (False, True)
    await editor.command("Teamwright changes undo")
    await editor.shows("undone", "■ a.txt")
    await editor.becomes("vim.fn.getbufline('a.txt', 2)[1]", "02")
    assert ((workspace / "old.txt").exists(), (workspace / "deep/new.txt").exists()) == (True, False)
