"""Changes of the team, reviewed hunk by hunk and taken back with one undo."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.support.model_server import ModelServer, calls, text, tool
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")

BEFORE = '''def greet(name):
    return 'helo ' + name


def initials(name):
    """The first letter of each of its words."""
    return "".join(word[0].upper() for word in name.split())


def shout(text):
    return text.upper() + "!"


def part(name):
    return 'by ' + name
'''


@pytest.mark.proves("E4")
async def test_one_hunk_is_applied_and_one_undo_takes_it_back(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    source = workspace / "greet.py"
    source.write_text(BEFORE, encoding="utf-8")
    paths = [{"path": "greet.py", "permission": "write"}]
    team.model("alpha").replies(
        calls(tool("launch_run", task="Fix the typos.", agent_mode="single", context_paths=paths)),
        calls(tool("edit_file", path="greet.py", old="helo", new="hello")),
        calls(tool("edit_file", path="greet.py", old="'by '", new="'bye '")),
        text("Both typos are fixed."),
        text("Done."),
    )
    window = await workbench.open(workspace, file="greet.py")
    await expect(window.editor_line("helo")).to_be_visible()
    chat = await window.open_chat()
    await chat.say("Fix the typos in greet.py.")
    await chat.decide("Approve")
    card = chat.decision
    await expect(card.locator(".hunk")).to_have_count(2)
    await card.get_by_text("Open the diff").click()
    await expect(window.page.locator(".monaco-diff-editor .view-line", has_text="bye").first).to_be_visible()
    lens = window.page.locator(".codelens-decoration a", has_text="refuse this change")
    await expect(lens).to_have_count(2)
    await lens.first.click()
    await expect(card.get_by_label("Apply change 1 of greet.py")).not_to_be_checked()
    refused = window.page.locator(".codelens-decoration a", has_text="accept this change")
    await expect(refused).to_have_count(1)
    await window.picture("changes-diff")
    await refused.click()
    await expect(card.get_by_label("Apply change 1 of greet.py")).to_be_checked()
    await window.page.locator(".tab", has_text="greet.py").first.click()
    await card.get_by_label("Apply change 2 of greet.py").uncheck()
    await window.picture("changes")
    await chat.decide("Apply")
    await expect(window.editor_line("hello")).to_be_visible()
    await expect(window.editor_line("'by '")).to_be_visible()
    await expect(chat.transcript).to_contain_text("Done.")
    await window.picture("changes-applied")
    await window.editor_line("hello").click()
    await window.page.keyboard.press("Control+z")
    await expect(window.editor_line("'helo '")).to_be_visible()
    await window.page.keyboard.press("Control+s")
    await window.until(lambda: source.read_text(encoding="utf-8") == BEFORE)
