"""A fresh machine: no configuration, no server, no key; and somebody else's program of the same name on the PATH."""

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
_KEYS = ("_API_KEY", "TEAMWRIGHT_")


@pytest_asyncio.fixture(loop_scope="package")
async def workbench(tmp_path: Path) -> AsyncGenerator[Workbench]:
    """A workbench that finds `uv` and Python on the PATH, a stranger's `teamwright`, and nothing of ours."""
    programs = tmp_path / "bin"
    programs.mkdir()
    stranger = programs / "teamwright"
    stranger.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/asked"\necho teamwright 9.9.9\n', encoding="utf-8")
    stranger.chmod(0o755)
    (programs / "uv").symlink_to(ROOT / ".venv/bin/uv")
    env = {name: value for name, value in os.environ.items() if not any(part in name for part in _KEYS)}
    # VS Code asks the login shell for the PATH, as it does for everybody.
    home = tmp_path / "home"
    home.mkdir()
    (home / ".bash_profile").write_text(f"PATH={programs}:/usr/local/bin:/usr/bin:/bin\n", encoding="utf-8")
    env |= {"SHELL": "/bin/bash"}
    async with async_playwright() as playwright:
        workbench = await Workbench.start(playwright, install(), home, env=env, settings={}, pictures=PICTURES)
        yield workbench
        await workbench.close()


@pytest.mark.proves("E1", "F4")
async def test_the_extension_sets_up_its_server_and_the_offline_team_answers(
    workbench: Workbench, workspace: Path, tmp_path: Path
) -> None:
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await expect(chat.frame.get_by_text("Setting up")).to_be_visible()
    await window.picture("first-start")
    await expect(chat.frame.get_by_text("Ask the team", exact=True)).to_be_visible(timeout=_SETTING_UP_MS)
    await window.picture("first-start-ready")
    await chat.say("What can you do?")
    await expect(chat.transcript.locator("q-entry q-markdown").last).to_contain_text("model")
    await window.picture("first-start-answered")
    stranger = await window.notification("is not the Teamwright server")
    await expect(stranger.locator(".monaco-button", has_text="Open Settings")).to_be_visible()
    # It was asked who it is, and never started.
    assert (tmp_path / "asked").read_text(encoding="utf-8") == "--version --json\n"
