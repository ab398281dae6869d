"""Names of files are names, whatever a pattern or a command line would make of them."""

from pathlib import Path

import pytest

from tests.neovim.test_changes import proposes
from tests.support.model_server import ModelServer, tool
from tests.support.neovim.door import Nvim

pytestmark = pytest.mark.asyncio

# Each with a file that its name would find as a pattern, or that stands for it on a command line.
NAMES = {
    "a[bc].py": "ab.py",
    "*.py": "ab.py",
    "a?b.py": "axb.py",
    "{ab,cd}.py": "ab.py",
    "%": "ab.py",
    "#": "ab.py",
    "two | quit.py": "ab.py",
    "$HOME.py": "ab.py",
    "\\.py": "ab.py",
}
TEXT = "def one() -> int:\n    return 1\n"


@pytest.mark.proves("E4")
async def test_a_change_reaches_the_file_of_that_very_name(nvim: Nvim, models: ModelServer, workspace: Path) -> None:
    for name in (*NAMES, *NAMES.values()):
        (workspace / name).write_text(TEXT, encoding="utf-8")
    names = [name for name in NAMES if "\\" not in name]
    writes = [tool("edit_file", path=name, old="return 1", new="return 2") for name in names]
    editor = await proposes(nvim, models, *writes, opens="ab.py")
    await editor.command("edit axb.py")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows(f"▎✓ Changed {len(names)} files")
    open_now = "vim.tbl_map(function(each) return vim.fn.getbufline(each, 2)[1] end, {1, vim.fn.bufnr('axb.py')})"
    assert await editor.lua(f"return {open_now}") == ["    return 1", "    return 1"]
    changed = {
        name: "return 2" in (workspace / name).read_text(encoding="utf-8") for name in (*names, "ab.py", "axb.py")
    }
    assert changed == {**dict.fromkeys(names, True), "ab.py": False, "axb.py": False}


@pytest.mark.proves("E4")
async def test_an_open_file_with_such_a_name_is_changed_where_it_is_open(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    for name in ("a[bc].py", "ab.py"):
        (workspace / name).write_text(TEXT, encoding="utf-8")
    edit = tool("edit_file", path="a[bc].py", old="return 1", new="return 2")
    editor = await proposes(nvim, models, edit, opens="ab.py")
    await editor.lua("vim.cmd.edit(vim.fn.fnameescape('a[bc].py'))")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("▎✓ Changed 1 file")
    texts = await editor.lua(
        "local found = {}\n"
        "for _, each in ipairs(vim.api.nvim_list_bufs()) do\n"
        "  local name = vim.fs.basename(vim.api.nvim_buf_get_name(each))\n"
        "  if name:find('%.py$') then found[name] = vim.api.nvim_buf_get_lines(each, 1, 2, false)[1] end\n"
        "end\n"
        "return found"
    )
    assert texts == {"a[bc].py": "    return 2", "ab.py": "    return 1"}
    assert (workspace / "a[bc].py").read_text(encoding="utf-8") == TEXT, "an open file is the user's to save"
