"""Talking to the assistant in the side bar."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.support.model_server import ModelServer, answer, calls, text, thinking, tool
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")


@pytest.mark.proves("E1", "D7")
async def test_an_answer_streams_with_its_reasoning_apart(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    code = (
        "Use a set:\n\n```python\ndef unique(items: list[int]) -> set[int]:\n    return set(items)  # once each\n```\n"
    )
    team.model("alpha").replies(answer(thinking("They want each item once."), code))
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("How do I remove duplicates?")
    await expect(chat.transcript.locator(".user-message")).to_have_text("How do I remove duplicates?")
    await expect(chat.transcript.locator(".code-block code")).to_contain_text("return set(items)")
    await expect(chat.transcript.locator(".reasoning summary")).to_contain_text("Thought about it")
    await window.picture("chat")


@pytest.mark.proves("A12", "E1")
async def test_the_list_of_tasks_stays_in_sight_and_is_edited(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    tasks = [{"id": "1", "title": "Write the parser", "state": "done"}, {"id": "2", "title": "Write its tests"}]
    team.model("alpha").replies(calls(tool("task_list", tasks=tasks)), text("That is the plan."))
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("Plan the parser.")
    await expect(chat.transcript).to_contain_text("That is the plan.")
    pinned = chat.frame.locator(".pinned")
    await expect(pinned.locator("> summary")).to_have_text("1 of 2 tasks done")
    await pinned.locator("> summary").click()
    await expect(pinned).to_contain_text("Write its tests")
    await window.picture("tasks")
    await pinned.get_by_text("Edit the list…").click()
    await pinned.get_by_label("State 2").select_option("dropped")
    await pinned.get_by_text("Edit the list", exact=True).click()
    await expect(pinned).to_have_count(0)
    await expect(chat.transcript).to_contain_text("1 of 1 task done")
