"""Talking to the assistant in the side bar."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.support.model_server import ModelServer, answer, thinking
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
