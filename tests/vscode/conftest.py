"""The door to VS Code: one real workbench for all of these tests, with a window and a script of models for each."""

import os
import sys
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from tests.support.doors import team_config
from tests.support.model_server import ModelServer
from tests.vscode.installation import ROOT, install
from tests.vscode.workbench import Workbench

TEAM = ("alpha", "beta", "gamma")
# Whoever wants to be asked who presents says so with the run.
_NO_OVERRIDE = "orchestrator: {interactive_mode: {override: 'off'}}\n"
PICTURES = ROOT / ".cache/vscode-pictures"


@pytest.fixture(scope="package")
def team() -> Iterator[ModelServer]:
    """The models behind the shared workbench's team."""
    with ModelServer() as server:
        yield server
    server.check()


@pytest.fixture(scope="package")
def user_config(team: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = tmp_path_factory.mktemp("workbench") / "config.yaml"
    config.write_text(team_config(team, *TEAM, extra=_NO_OVERRIDE), encoding="utf-8")
    return config


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def shared_workbench(user_config: Path) -> AsyncGenerator[Workbench]:
    home = user_config.parent
    env = {
        "TEAMWRIGHT_CONFIG": str(user_config),
        "TEAMWRIGHT_STATE_DIR": str(home / "state"),
        "SCRIPTED_KEY": "sk-scripted",
    }
    settings = {"teamwright.server.interpreter": sys.executable}
    PICTURES.mkdir(parents=True, exist_ok=True)
    async with async_playwright() as playwright:
        workbench = await Workbench.start(
            playwright, install(), home, env={**os.environ, **env}, settings=settings, pictures=PICTURES
        )
        yield workbench
        await workbench.close()


@pytest_asyncio.fixture(loop_scope="package")
async def workbench(
    shared_workbench: Workbench, team: ModelServer, request: pytest.FixtureRequest
) -> AsyncGenerator[Workbench]:
    team.new_script()
    failures = request.session.testsfailed
    yield shared_workbench
    shared_workbench.configure({})
    failed = request.session.testsfailed > failures
    await shared_workbench.close_windows(picture=f"failed-{request.node.name}" if failed else None)
