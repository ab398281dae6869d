"""Reviews: what the team finds is where the user looks for faults, and is fixed from there."""

from pathlib import Path

import pytest

from tests.runtime.lines import gives, votes
from tests.support.doors import team_config
from tests.support.model_server import Answer, ModelServer, calls, text, tool
from tests.support.neovim.door import Nvim
from tests.support.neovim.editor import Neovim

pytestmark = pytest.mark.asyncio

SOURCE = "def average(items):\n    return sum(items) / len(items)\n"
FIXED = "    return sum(items) / len(items) if items else 0\n"
MESSAGES = "vim.tbl_map(function(each) return each.message end, vim.diagnostic.get(vim.fn.bufnr('shop.py')))"


def reports(title: str) -> Answer:
    finding = {"path": "shop.py", "line": 2, "severity": "error", "title": title}
    return calls(tool("report_finding", detail="len(items) is zero for an empty list: division by zero.", **finding))


async def reviewed(nvim: Nvim, models: ModelServer, workspace: Path) -> Neovim:
    (workspace / "shop.py").write_text(SOURCE, encoding="utf-8")
    models.model("alpha").replies(
        reports("Division by zero"), gives("One fault."), votes("agent1"), text("Mind empty lists.")
    )
    models.model("beta").replies(reports("Empty list divides by zero"), gives("A fault."), votes("agent1"))
    editor = await nvim(
        config=team_config(models, "alpha", "beta", extra="orchestrator: {interactive_mode: {override: 'off'}}\n"),
        opens="shop.py",
    )
    await editor.command("1,2Teamwright review")
    await approves(editor)
    await editor.shows("Mind empty lists.")
    await editor.rests()
    return editor


async def approves(editor: Neovim) -> None:
    screen = await editor.shows("▎⚑ Run")
    assert "<attachment" not in screen
    await editor.command("Teamwright approve")
    await editor.keys("a")


@pytest.mark.proves("E3", "E5", "E2")
async def test_findings_are_diagnostics_with_their_agreement_and_are_fixed_by_code_action(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    editor = await reviewed(nvim, models, workspace)
    (found,) = await editor.holds(MESSAGES, bool)
    assert found.endswith("(2 of 2 agents)")
    await editor.command("Teamwright findings")
    await editor.shows("shop.py|2 ", "2 of 2 agents")
    await editor.command("cclose | wincmd l")
    await editor.lua("vim.fn.search('↳ ')")
    await editor.keys("a")
    await editor.shows("1  Fix", "2  Dismiss", "q  Not now")
    await editor.keys("q<CR>")
    await editor.becomes("{vim.fn.bufname(), vim.fn.line('.')}", ["shop.py", 2])
    # A reader who is at the end follows it.
    await editor.command("wincmd l | normal! G")
    await editor.command("wincmd t")

    fix = calls(tool("edit_file", path="shop.py", old=SOURCE.splitlines(keepends=True)[1], new=FIXED))
    models.model("alpha").replies(gives("I would."), votes("agent1"), fix, text("Fixed."))
    models.model("beta").replies(gives("Me too."), votes("agent1"))
    await editor.lua(
        "vim.lsp.buf.code_action({apply = true, filter = function(each) return each.title:find('consensus') end})"
    )
    await approves(editor)
    await editor.shows("▎⚑ Changes to 1 file", "shop.py +1 -1")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("✓ shop.py", "len(items) if items else 0")


@pytest.mark.proves("E5", "E3")
async def test_a_finding_is_dismissed_and_a_selection_offers_the_team(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    editor = await reviewed(nvim, models, workspace)
    await editor.holds(MESSAGES, bool)
    await editor.command("wincmd t | normal! 2G")
    await editor.keys(":lua vim.lsp.buf.code_action()<CR>")
    await editor.shows("Review with team", "Explain with team", "Write tests with team", "Fix all consensus issues")
    await editor.keys("q<CR>")
    await editor.lua("vim.lsp.buf.code_action({apply = true, filter = function(a) return a.title == 'Dismiss' end})")
    await editor.becomes(MESSAGES, [])


@pytest.mark.proves("G6", "E2")
async def test_a_finding_says_that_it_was_reproduced(nvim: Nvim, models: ModelServer, workspace: Path) -> None:
    (workspace / "shop.py").write_text(SOURCE, encoding="utf-8")
    proof = {"argv": ["python3", "-c", "import shop; shop.average([])"]}
    finding = {"path": "shop.py", "line": 2, "severity": "error", "title": "Division by zero", "detail": ""}
    models.model("alpha").replies(
        calls(tool("report_finding", **finding, reproduce=proof)), gives("A fault."), votes("agent1"), text("Mind it.")
    )
    extra = "commands: {enabled: true}\norchestrator: {interactive_mode: {override: 'off'}}\n"
    editor = await nvim(config=team_config(models, "alpha", extra=extra), opens="shop.py")
    await editor.command("1,2Teamwright review")
    await approves(editor)
    await editor.shows("▎⚑ Run `python3")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("Mind it.", "1 of 1 agent", "reproduced")
    (found,) = await editor.holds(MESSAGES, bool)
    assert found == "Division by zero (1 of 1 agent, reproduced)"


@pytest.mark.proves("G7", "E2")
async def test_failing_checks_are_made_to_pass_by_a_command(nvim: Nvim, models: ModelServer, workspace: Path) -> None:
    (workspace / "calc.py").write_text("def add(a, b):\n    return a - b\n", encoding="utf-8")
    models.model("alpha").replies(
        calls(tool("edit_file", path="calc.py", old="a - b", new="a + b"), tool("new_answer", content="Mended.")),
        votes("agent1"),
    )
    extra = (
        "checks: [{name: adds, argv: [python3, -c, 'from calc import add; assert add(2, 3) == 5']}]\n"
        "orchestrator: {final_answer_strategy: winner_reuse, interactive_mode: {override: 'off'}}\n"
    )
    editor = await nvim(config=team_config(models, "alpha", extra=extra), opens="calc.py")
    await editor.command("Teamwright fix_checks")
    await editor.shows("Make the check `adds` pass.")
    await approves(editor)
    await editor.shows("▎⚑ Changes to 1 file", "calc.py +1 -1")
