"""Reviews: what the team finds is where the user looks for faults, and is fixed from there."""

from pathlib import Path

import pytest

from tests.support.neovim.door import Nvim

pytestmark = pytest.mark.asyncio

FAULTY = "import os\nimport sys\n\n\ndef area(width, height):\n    return width * height\n"


@pytest.mark.proves("E3", "E5", "E2")
async def test_a_review_finds_faults_as_diagnostics_which_are_fixed_from_there(nvim: Nvim, workspace: Path) -> None:
    (workspace / "shapes.py").write_text(FAULTY, encoding="utf-8")
    editor = await nvim(opens="shapes.py")
    await editor.command("1,6Quorate review")
    await editor.shows("Decision · ")
    await editor.command("Quorate approve")
    await editor.keys("a")
    found = await editor.holds("vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0))", bool)
    assert any("imported but unused" in message and "agents)" in message for message in found), found
    await editor.command("Quorate findings")
    await editor.shows("Quorate findings", "imported but unused")
    await editor.command("cclose")
    print(editor.screen.text)
    await editor.command("normal! gg")
    await editor.lua(
        "vim.lsp.buf.code_action({apply = true, filter = function(each) return each.title:find('^Fix with team') end})"
    )
    await editor.shows("Decision · ")
    await editor.command("Quorate approve")
    await editor.keys("a")
    await editor.shows("▎Changes proposed")
    print(editor.screen.text)
