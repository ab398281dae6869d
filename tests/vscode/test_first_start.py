"""A fresh machine: no configuration, no server, no key."""

import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright, expect

from tests.vscode.conftest import PICTURES
from tests.vscode.installation import ROOT, install
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")

_SETTING_UP_MS = 600_000
_KEYS = ("_API_KEY", "QUORATE_")


@pytest_asyncio.fixture(loop_scope="package")
async def workbench(tmp_path: Path) -> AsyncGenerator[Workbench]:
    """A workbench that finds `uv` and Python on the PATH, and nothing of ours."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "uv").symlink_to(ROOT / ".venv/bin/uv")
    env = {name: value for name, value in os.environ.items() if not any(part in name for part in _KEYS)}
    env |= {"PATH": f"{programs}{os.pathsep}/usr/local/bin{os.pathsep}/usr/bin{os.pathsep}/bin"}
    async with async_playwright() as playwright:
        workbench = await Workbench.start(
            playwright, install(), tmp_path / "home", env=env, settings={}, pictures=PICTURES
        )
        yield workbench
        await workbench.close()


@pytest.mark.proves("E1", "F4")
async def test_the_extension_sets_up_its_server_and_the_offline_team_answers(
    workbench: Workbench, workspace: Path
) -> None:
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await expect(chat.frame.get_by_text("Setting up")).to_be_visible()
    await window.picture("first-start")
    await expect(chat.frame.get_by_text("Ask the team", exact=True)).to_be_visible(timeout=_SETTING_UP_MS)
    await window.picture("first-start-ready")
    await chat.say("What can you do?")
    await expect(chat.transcript.locator("q-item q-markdown").last).to_contain_text("model")
    await window.picture("first-start-answered")
