"""From a selection to findings in Problems, and from a finding to its fix."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.lsp.test_reviews import SOURCE, a_review
from tests.support.model_server import ModelServer, calls, text, tool
from tests.vscode.workbench import Workbench

pytestmark = [pytest.mark.asyncio(loop_scope="package"), pytest.mark.xdist_group("workbench")]


@pytest.mark.proves("E3", "E5")
async def test_a_selection_is_reviewed_and_a_finding_fixed(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    (workspace / "shop.py").write_text(SOURCE, encoding="utf-8")
    a_review(team)
    window = await workbench.open(workspace, file="shop.py")
    chat = await window.open_chat()
    await window.editor_line("eval").click()
    await window.page.keyboard.press("Control+a")
    await window.code_action("Review with team")
    await chat.decision("run").locator("vscode-button", has_text="Approve").click()
    await expect(chat.frame.locator("q-run .findings")).to_contain_text("3 of 3 agents")
    await window.command("Problems: Focus on Problems View")
    problems = window.page.locator(".markers-panel")
    await expect(problems).to_contain_text("(3 of 3 agents)")
    await window.picture("review")

    edit = tool("edit_file", path="shop.py", old="eval(open(name).read())", new="json.load(open(name))")
    team.model("beta").replies(calls(edit), text("No more eval."))
    await chat.frame.get_by_role("button", name="beta").click()
    await expect(chat.frame.locator(".agent-picker .greyed")).to_have_count(2)
    await window.editor_line("eval").click()
    await window.code_action("Fix with team")
    await chat.decision("run").locator("vscode-button", has_text="Approve").click()
    await chat.decision("changes").locator("vscode-button", has_text="Apply all").click()
    await expect(window.editor_line("json.load")).to_be_visible()
    await window.picture("review-fixed")
