"""What the project's checks say of each answer, in the chat: chips by answer, and a table on the changes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.support.doors import team_config
from tests.support.failing_project import BROKEN, MENDED, TEAM, checks_config, script_team, write_project
from tests.support.model_server import ModelServer, calls, text, tool
from tests.vscode.window import Chat, Window
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")


@pytest.fixture
def checks_of_user(team: ModelServer, user_config: Path) -> Iterator[Callable[..., None]]:
    """In the user's own configuration, which every window reads when it opens."""
    before = user_config.read_text(encoding="utf-8")

    def write(policy: str, *, override: str = "off") -> None:
        extra = checks_config(policy, override=override)
        user_config.write_text(team_config(team, *TEAM, extra=extra), encoding="utf-8")

    yield write
    user_config.write_text(before, encoding="utf-8")


async def at_work(workbench: Workbench, team: ModelServer, workspace: Path) -> tuple[Window, Chat]:
    """A window whose user has let the team go and mend the project."""
    write_project(workspace)
    launch = tool(
        "launch_run",
        task="Make the tests pass.",
        context_paths=[{"path": ".", "permission": "write"}],
    )
    team.model("alpha").replies(calls(launch))
    script_team(team)
    team.model("alpha").replies(text("The team is done."))
    window = await workbench.open(workspace, file="calc.py")
    chat = await window.open_chat()
    await chat.say("Have the team make the tests pass.")
    await expect(chat.decision).to_contain_text("✓ tests, on every answer: python3 -m unittest -v")
    await window.picture("checks-approval")
    await chat.decide("Approve")
    return window, chat


@pytest.mark.proves("G4", "G5")
async def test_where_it_is_required_the_answer_that_passes_wins_and_is_applied(
    workbench: Workbench, team: ModelServer, workspace: Path, checks_of_user: Callable[..., None]
) -> None:
    checks_of_user("require")
    window, chat = await at_work(workbench, team, workspace)
    row = chat.decision.locator("tr", has_text="tests")
    await expect(row.locator("td")).to_have_text(["tests", "passed", "2", "0", "0"])
    run = chat.frame.locator(".card.run")
    for chip, tone in (("tests failed 1", "bad"), ("tests broke 1", "bad"), ("tests passed", "ok")):
        await expect(run.locator(f".badge.{tone}", has_text=chip).first).to_be_visible()
    await expect(run).to_contain_text("The checks speak for gamma, with 1 of 3 votes")
    await window.picture("checks-required")
    await chat.decide("Apply")
    await expect(window.editor_line("return a + b")).to_be_visible()
    await expect(chat.transcript).to_contain_text("The team is done.")
    await window.until(lambda: (workspace / "calc.py").read_text(encoding="utf-8") == MENDED)


@pytest.mark.proves("G2", "G4")
async def test_a_failing_test_leads_to_its_line_and_among_the_problems_and_another_answer_is_applied_instead(
    workbench: Workbench, team: ModelServer, workspace: Path, checks_of_user: Callable[..., None]
) -> None:
    checks_of_user("prefer")
    window, chat = await at_work(workbench, team, workspace)
    row = chat.decision.locator("tr", has_text="tests")
    await expect(row.locator("td")).to_have_text(["tests", "failed 1", "1", "1", "0"])
    await chat.decision.get_by_role("button", name="test_adds").click()
    await expect(window.editor_line("self.assertEqual(add(2, 3), 5)")).to_be_visible()
    await chat.decide("Show the failures as problems")
    await window.command("Problems: Focus on Problems View")
    problems = window.page.locator(".markers-panel")
    await expect(problems).to_contain_text("AssertionError: 6 != 5")
    await expect(problems).to_contain_text("tests (with what is proposed)")
    await window.picture("checks-problems")
    await chat.decide("Clear the problems")
    await expect(problems).not_to_contain_text("AssertionError")

    await chat.decide("Discard")
    await expect(chat.transcript).to_contain_text("The team is done.")
    await chat.frame.get_by_role("button", name="Propose gamma's changes instead").click()
    card = chat.frame.locator(".card.changes", has_text="gamma's changes to 1 file")
    await expect(card.locator("tr", has_text="tests").locator("td")).to_have_text(["tests", "passed", "2", "0", "0"])
    await window.picture("checks-another-answer")
    assert (workspace / "calc.py").read_text(encoding="utf-8") == BROKEN
    await card.locator("vscode-button", has_text="Apply").click()
    await window.until(lambda: (workspace / "calc.py").read_text(encoding="utf-8") == MENDED)


@pytest.mark.proves("C7", "G4")
async def test_answers_stand_side_by_side_with_what_they_change_and_what_the_checks_say(
    workbench: Workbench, team: ModelServer, workspace: Path, checks_of_user: Callable[..., None]
) -> None:
    checks_of_user("prefer", override="ask")
    window, chat = await at_work(workbench, team, workspace)
    expected = {
        "alpha": ("tests failed 1", "+    return a * b"),
        "beta": ("tests broke 1", "+    return a + b + 1"),
        "gamma": ("tests passed", "+    return a + b"),
    }
    columns = chat.decision.locator(".column")
    await expect(columns).to_have_count(len(expected))
    for name, (result, line) in expected.items():
        column = chat.decision.get_by_label(name, exact=True)
        await expect(column.locator(".badge")).to_have_text([result])
        await expect(column.locator("pre.lines .added")).to_have_text([line])
    await window.picture("checks-side-by-side")
    await chat.decision.get_by_role("button", name="Present gamma's answer").click()
    await chat.decide("Apply")
    await window.until(lambda: (workspace / "calc.py").read_text(encoding="utf-8") == MENDED)
    await expect(chat.transcript).to_contain_text("The team is done.")


@pytest.mark.proves("G7")
async def test_failing_checks_are_fixed_by_a_command_and_from_a_failing_test(
    workbench: Workbench, team: ModelServer, workspace: Path, checks_of_user: Callable[..., None]
) -> None:
    checks_of_user("prefer")
    write_project(workspace)
    window = await workbench.open(workspace, file="test_calc.py")
    chat = await window.open_chat()
    await window.command("Teamwright: Fix Failing Checks with Team")
    await expect(chat.decision).to_contain_text("Make the check `tests` pass.")
    script_team(team)
    await chat.decide("Approve")
    await chat.decide("Discard")
    run = chat.frame.locator(".card.run")
    await expect(run).to_contain_text("Completed")
    base = run.locator(".chips-part", has_text="Without any change")
    await base.get_by_role("button", name="Show the failures as problems").click()
    await expect(window.page.locator(".editor-instance .squiggly-error").first).to_be_visible()
    await window.editor_line("self.assertEqual(add(2, 3), 5)").click()
    await window.code_action("Fix failing checks with team")
    await expect(chat.decision).to_contain_text("Make the check `tests` pass.")
    await window.picture("checks-fix-again")
    await chat.decide("Cancel")
