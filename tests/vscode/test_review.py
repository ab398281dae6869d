"""From a selection to findings in Problems, and from a finding to its fix."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.runtime.lines import TEAM, gives, votes
from tests.support.model_server import Answer, ModelServer, calls, text, tool
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")


SOURCE = """import os


def average(items):
    return sum(items) / len(items)


def load(name):
    return eval(open(name).read())
"""


def reports(line: int, title: str, detail: str) -> Answer:
    finding = tool("report_finding", path="shop.py", line=line, severity="error", title=title, detail=detail)
    return calls(finding)


def a_review(team: ModelServer) -> None:
    """All see the eval, one of them the division as well."""
    division = reports(5, "Division by zero", "An empty list makes len(items) zero.")
    for name in TEAM:
        evil = reports(9, "eval of untrusted input", "eval() runs any code that stands in the file.")
        more = [division] if name == "alpha" else []
        team.model(name).replies(evil, *more, gives(f"The summary of {name}."), votes("agent1"))
    team.model("alpha").replies(text("The division and the eval must go."))


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
    await chat.decide("Approve")
    await expect(chat.frame.locator(".card.findings")).to_contain_text("3 of 3 agents")
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
    await chat.decide("Approve")
    await chat.decide("Apply")
    await expect(window.editor_line("json.load")).to_be_visible()
    await window.picture("review-fixed")


@pytest.fixture
def allowed_commands(user_config: Path) -> Iterator[None]:
    """By the user's own configuration, which every window reads when it opens."""
    before = user_config.read_text(encoding="utf-8")
    user_config.write_text(f"{before}commands: {{enabled: true}}\n", encoding="utf-8")
    yield
    user_config.write_text(before, encoding="utf-8")


@pytest.mark.usefixtures("allowed_commands")
@pytest.mark.proves("G6")
async def test_a_finding_says_that_it_was_reproduced(workbench: Workbench, team: ModelServer, workspace: Path) -> None:
    (workspace / "shop.py").write_text(SOURCE, encoding="utf-8")
    proof = {"argv": ["python3", "-c", "import shop; shop.average([])"]}
    finding = {"path": "shop.py", "line": 5, "severity": "error", "title": "Division by zero", "detail": ""}
    for name in TEAM:
        report = [calls(tool("report_finding", **finding, reproduce=proof))] if name == "alpha" else []
        team.model(name).replies(*report, gives(f"The summary of {name}."), votes("agent1"))
    team.model("alpha").replies(text("Mind empty lists."))
    window = await workbench.open(workspace, file="shop.py")
    chat = await window.open_chat()
    await window.editor_line("eval").click()
    await window.page.keyboard.press("Control+a")
    await window.code_action("Review with team")
    await chat.decide("Approve")
    await chat.decide("Run it")
    found = chat.frame.locator(".card.findings")
    await expect(found.locator(".badge", has_text="reproduced")).to_have_text("reproduced")
    await window.command("Problems: Focus on Problems View")
    await expect(window.page.locator(".markers-panel")).to_contain_text("(1 of 3 agents, reproduced)")
    await expect(chat.transcript).to_contain_text("Mind empty lists.")
