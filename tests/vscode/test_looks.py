"""The panel looks like the editor, whatever its theme."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.support.model_server import ModelServer, answer, thinking
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")

_THEMES = {"Default High Contrast": "vscode-high-contrast", "Default Light Modern": "vscode-light"}
_REPLY = "It reads **every** row:\n\n```python\nrows = [row for row in table]  # all of them\n```\n"


@pytest.mark.proves("E1", "D7")
async def test_the_panel_follows_the_theme_of_the_editor(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    team.model("alpha").replies(answer(thinking("They ask about rows."), _REPLY))
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("What does it read?")
    await expect(chat.transcript).to_contain_text("rows = ")
    colours: set[str] = set()
    for theme, kind in _THEMES.items():
        workbench.configure({"workbench.colorTheme": theme})
        await window.reload()
        chat = await window.chat()
        await expect(chat.frame.locator(f"body.{kind}")).to_be_visible()
        code = chat.frame.locator(".code-block")
        await expect(code).to_contain_text("rows = ")
        colours.add(await code.evaluate("(element) => getComputedStyle(element).backgroundColor"))
        await window.picture(f"theme-{kind}")
    assert len(colours) == len(_THEMES)
