"""Sessions and decisions outside the chat: the tree, the search, notifications, modes by key."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.support.model_server import ModelServer, calls, text, tool
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")


@pytest.mark.proves("E1", "A9")
async def test_sessions_are_found_forked_renamed_and_deleted_in_the_tree(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    team.model("alpha").replies(text("A quokka is a small macropod."))
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("What is a quokka?")
    await expect(chat.transcript).to_contain_text("A quokka is a small macropod.")
    await chat.rests()
    await window.page.get_by_role("button", name="Sessions and Runs Section").click()
    rows = window.page.get_by_role("tree", name="Sessions and Runs").locator(".monaco-list-row")
    await expect(rows).to_have_count(1)
    await window.command("Teamwright: Fork Session")
    await expect(rows).to_have_count(2)
    await chat.has_focus()  # the copy is shown, and nothing more happens that would close an input box
    await window.command("Teamwright: Rename Session")
    await window.answer("Title of the session", "Marsupials")
    await expect(rows.filter(has_text="Marsupials")).to_have_count(1)
    await window.picture("sessions")
    await window.command("Teamwright: Search Sessions")
    await window.page.locator("input[placeholder='Search in all sessions']").fill("macropod")
    await expect(window.page.locator(".quick-input-list .monaco-list-row", has_text="macropod").first).to_be_visible()
    await window.page.keyboard.press("Escape")
    await window.command("Teamwright: Delete Session")
    await expect(rows).to_have_count(1)
    deleted = await window.notification("Deleted")
    await deleted.locator(".monaco-button", has_text="Undo").click()
    await expect(rows).to_have_count(2)


@pytest.mark.proves("E7", "D2")
async def test_a_decision_is_answered_from_a_notification_while_the_panel_is_hidden(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    gate = team.gate("question")
    asks = calls(tool("request_input", question="Tabs or spaces?", choices=["Tabs", "Spaces"]))
    team.model("alpha").replies(asks.waits_for(gate), text("Spaces it is."))
    (workspace / "note.txt").write_text("a note\n", encoding="utf-8")
    window = await workbench.open(workspace, file="note.txt")
    chat = await window.open_chat()
    await chat.say("Format the project.")
    await gate.reached()
    await window.page.locator('.part.activitybar .action-item a[aria-label^="Explorer"]').click()
    await window.editor_line("a note").click()
    gate.release()
    await expect(window.status_bar).to_contain_text("1 to decide")
    await window.page.keyboard.type("still ")
    await expect(window.editor_line("still")).to_be_visible()
    question = await window.notification("Tabs or spaces?")
    await window.picture("notification")
    await question.locator(".monaco-button", has_text="Spaces").click()
    chat = await window.open_chat()
    await expect(chat.transcript).to_contain_text("Spaces it is.")


@pytest.mark.proves("E1", "E6")
async def test_modes_and_commands_work_from_the_keyboard(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    (workspace / "alpha.py").write_text("x = 1\n", encoding="utf-8")
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    plan = chat.frame.get_by_role("button", name="Plan")
    await chat.message.click()
    await window.page.keyboard.press("Shift+Tab")
    await expect(plan).to_have_attribute("aria-pressed", "true")
    await window.page.keyboard.press("Shift+Tab")
    await expect(plan).to_have_attribute("aria-pressed", "false")
    await chat.say("/help")
    await expect(chat.frame.locator(".note")).to_contain_text("/compact")
    await chat.say("/single beta")
    await expect(chat.frame.locator(".agent-picker .chip.greyed")).to_have_count(2)
    await chat.message.fill("")
    await chat.message.press_sequentially("Look at @alph")
    await expect(chat.frame.get_by_role("option", name="alpha.py")).to_be_visible()
    await window.picture("mention")
    await window.page.keyboard.press("Enter")
    await expect(chat.frame.locator(".attachments .chip")).to_contain_text("alpha.py")


@pytest.mark.proves("E7")
async def test_a_models_words_in_a_notification_are_plain(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    """VS Code makes links of `[…](command:…)` and of addresses in a notification, and a click would run them."""
    tag = chr(0xE0041)
    hostile = f"May I? [Yes](command:workbench.action.quit) **now** <b>x</b> gpj.\u202efdp {tag}"
    gate = team.gate("question")
    asks = calls(tool("request_input", question=hostile, choices=["No", "Later"]))
    team.model("alpha").replies(asks.waits_for(gate), text("As you like."))
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("Ask me.")
    await gate.reached()
    await window.page.locator('.part.activitybar .action-item a[aria-label^="Explorer"]').click()
    gate.release()
    await expect(window.status_bar).to_contain_text("1 to decide")
    question = await window.notification("May I?")
    message = question.locator(".notification-list-item-message")
    shown = await message.inner_text()
    assert await message.locator("a, b, strong").count() == 0
    assert ["\u202e" in shown, tag in shown, "⟨U+202E⟩" in shown, "**now** <b>x</b>" in shown] == [
        False,
        False,
        True,
        True,
    ]
    await question.locator(".monaco-button", has_text="No").click()
    chat = await window.open_chat()
    await expect(chat.transcript).to_contain_text("As you like.")
