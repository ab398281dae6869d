"""What the project's checks say of each answer, in the chat: chips by answer, and a table on the changes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.support.doors import team_config
from tests.support.failing_project import MENDED, TEAM, checks_config, script_team, write_project
from tests.support.model_server import ModelServer, calls, text, tool
from tests.vscode.window import Chat, Window
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")


@pytest.fixture
def required(team: ModelServer, user_config: Path) -> Iterator[None]:
    """In the user's own configuration, with the checks; every window reads it when it opens."""
    before = user_config.read_text(encoding="utf-8")
    user_config.write_text(team_config(team, *TEAM, extra=checks_config("require")), encoding="utf-8")
    yield
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
@pytest.mark.usefixtures("required")
async def test_where_it_is_required_the_answer_that_passes_wins_and_is_applied(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
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
