"""What the project's checks say of each answer: by chips, by a table with the failing tests, side by side."""

from pathlib import Path

import pytest

from tests.support.doors import team_config
from tests.support.failing_project import (
    BROKEN,
    FAILING_LINE,
    MENDED,
    TEAM,
    TESTS,
    checks_config,
    script_team,
    write_project,
)
from tests.support.model_server import ModelServer
from tests.support.neovim.door import Nvim
from tests.support.neovim.editor import Neovim

pytestmark = pytest.mark.asyncio

MAY_WRITE = "  context_paths: [{path: ., permission: write}]\n"


async def at_work(nvim: Nvim, models: ModelServer, workspace: Path, policy: str, *, override: str = "off") -> Neovim:
    """An editor whose user has let the team go and mend the project."""
    write_project(workspace)
    script_team(models)
    extra = checks_config(policy, override=override) + MAY_WRITE
    editor = await nvim(config=team_config(models, *TEAM, extra=extra), opens="calc.py")
    await editor.command("Teamwright run Make the tests pass.")
    await editor.shows("▎⚑ Run: Make the tests pass.", "✓ tests, on every answer: python3")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    return editor


@pytest.mark.proves("G4", "G5")
async def test_where_it_is_required_the_answer_that_passes_wins_and_is_applied(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    editor = await at_work(nvim, models, workspace, "require")
    screen = await editor.shows(
        "▎⚑ Changes to 1 file",
        "tests  ✓ passed",
        "The checks speak for gamma, with 1 of 3 votes",
        "Discard / Check again",
    )
    lines = [line.partition("││ ")[2].strip() for line in screen.splitlines()]
    below = {name: lines[lines.index(f"▸ {name}'s first answer") + 1] for name in TEAM}
    assert below == {"alpha": "✗ tests failed 1", "beta": "✗ tests broke 1", "gamma": "✓ tests passed"}
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("▎✓ Changed 1 file")
    await editor.becomes("table.concat(vim.fn.getbufline('calc.py', 1, '$'), '\\n') .. '\\n'", MENDED)
    await editor.shows("✓ Completed")


@pytest.mark.proves("G4", "G5")
async def test_a_failing_test_leads_to_its_line_and_the_changes_can_be_checked_again(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    editor = await at_work(nvim, models, workspace, "prefer")
    await editor.shows("▎⚑ Changes to 1 file", "tests  ✗ failed 1", "↳ test_adds", "Apply / Discard / Check again")
    await editor.keys("<C-w>l<C-w>kG?↳ test_adds<CR><CR>")
    await editor.becomes("{ vim.fn.expand('%:t'), vim.fn.line('.') }", ["test_calc.py", FAILING_LINE])

    # The user takes the product for right, for now, and has not saved that.
    await editor.keys(":s/3), 5/3), 6/<CR>")
    await editor.shows("add(2, 3), 6")
    await editor.command("Teamwright approve")
    await editor.shows("t  Check again")
    await editor.keys("t")
    await editor.shows("tests  ✓ passed")
    assert (workspace / "calc.py").read_text(encoding="utf-8") == BROKEN
    assert (workspace / "test_calc.py").read_text(encoding="utf-8") == TESTS


@pytest.mark.proves("C7", "G4")
async def test_another_answer_is_chosen_by_what_it_changes_and_what_the_checks_say_of_it(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    editor = await at_work(nvim, models, workspace, "prefer", override="ask")
    await editor.shows("▎⚑ alpha was chosen to present")
    await editor.command("Teamwright approve")
    screen = await editor.shows("3  Present gamma's answer", "q  Not now")
    told = [line.split("│")[1].rstrip() for line in screen.splitlines() if line.count("│") > 1]
    begins = [told.index(f"{name}'s answer") for name in TEAM]
    expected = (("✗ tests failed 1", "a * b"), ("✗ tests broke 1", "a + b + 1"), ("✓ tests passed", "a + b"))
    for begin, end, (result, line) in zip(begins, [*begins[1:], len(told)], expected, strict=True):
        assert {result, "calc.py", "-    return a - b", f"+    return {line}"} <= set(told[begin:end])
    await editor.keys("3")
    await editor.shows("▎⚑ Changes to 1 file", "by gamma")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.becomes("table.concat(vim.fn.getbufline('calc.py', 1, '$'), '\\n') .. '\\n'", MENDED)


PROBLEMS = (
    "vim.tbl_map(function(each) return { each.source, each.lnum + 1 } end,"
    " vim.diagnostic.get(vim.fn.bufnr('test_calc.py')))"
)


@pytest.mark.proves("G2", "G4", "G7")
async def test_what_fails_is_among_the_diagnostics_and_another_answer_is_applied_instead(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    editor = await at_work(nvim, models, workspace, "prefer")
    await editor.shows("▎⚑ Changes to 1 file", "tests  ✗ failed 1")
    await editor.command("badd test_calc.py | call bufload('test_calc.py')")
    await editor.command("Teamwright approve")
    await editor.shows("p  Show the failures as problems")
    await editor.keys("p")
    await editor.becomes(PROBLEMS, [["tests (with what is proposed)", FAILING_LINE]])
    await editor.command("Teamwright approve")
    await editor.keys("c")
    await editor.shows("✓ Completed")

    await editor.command("wincmd l")
    await editor.lua("vim.fn.search('✓ tests passed')")
    await editor.keys("a")
    await editor.shows("1  Propose gamma's changes instead")
    await editor.keys("1")
    await editor.holds("vim.fn.search([[gamma's changes to 1 file]])", bool)
    await editor.keys("G")
    await editor.shows("gamma's changes to 1 file", "tests  ✓ passed", "<CR> → Apply / Discard / Check again")
    assert (workspace / "calc.py").read_text(encoding="utf-8") == BROKEN
    await editor.lua("vim.fn.search([[gamma's changes to 1 file]])")
    await editor.keys("a")
    await editor.shows("a  Apply")
    await editor.keys("a")
    await editor.shows("Changed 1 file")
    await editor.becomes("table.concat(vim.fn.getbufline('calc.py', 1, '$'), '\\n') .. '\\n'", MENDED)

    # A failing test offers to have what fails fixed; by now there is nothing left of it.
    await editor.command(f"wincmd t | buffer test_calc.py | {FAILING_LINE}")
    await editor.lua(
        "vim.lsp.buf.code_action({apply = true, filter = function(each) return each.title:find('failing checks') end})"
    )
    await editor.shows("tests passes; there is nothing to fix.")
