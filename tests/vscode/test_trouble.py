"""What a reload of the window and the death of the server leave as it was."""

import os
import signal
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.runtime.lines import gives, votes
from tests.support.model_server import Gate, ModelServer, calls, text, tool
from tests.vscode.processes import server_of
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")


def _script(team: ModelServer, gate: Gate) -> None:
    team.model("alpha").replies(
        calls(tool("launch_run", task="Say it well.", coordination_overrides={"override": "off"})),
        gives("From alpha."),
    )
    team.model("beta").replies(gives("From beta."))
    team.model("gamma").replies(gives("From gamma.").waits_for(gate))


def _ending(team: ModelServer) -> None:
    team.model("alpha").replies(votes("agent1"), text("Well said."), text("The team has spoken."))
    for name in ("beta", "gamma"):
        team.model(name).replies(votes("agent1"))


@pytest.mark.proves("D6", "E1")
async def test_a_reloaded_window_shows_the_run_as_it_stands(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    gate = team.gate("gamma before the reload")
    _script(team, gate)
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("Say it well, as a team.")
    await chat.message.press_sequentially("A draft that is not sent yet")
    await chat.decide("Approve")
    await gate.reached()
    await expect(chat.frame.locator(".card.run .tone", has_text="answered")).to_have_count(2)
    await window.reload()
    chat = await window.chat()
    await expect(chat.transcript.locator(".user-message")).to_have_text("Say it well, as a team.")
    await expect(chat.frame.locator(".card.run")).to_contain_text("gamma")
    await expect(chat.message).to_have_value("A draft that is not sent yet")
    await window.picture("reloaded")
    gate.release()
    team.model("gamma").replies(gives("From gamma, again."))
    _ending(team)
    await chat.decide("Go on")
    await expect(chat.transcript).to_contain_text("The team has spoken.")


@pytest.mark.proves("D6", "E7")
async def test_a_killed_server_is_started_again_and_asks_whether_to_go_on(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    gate = team.gate("gamma before the kill")
    _script(team, gate)
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("Say it well, as a team.")
    await chat.decide("Approve")
    await gate.reached()
    await expect(chat.frame.locator(".card.run .tone", has_text="answered")).to_have_count(2)
    os.kill(server_of(workspace), signal.SIGKILL)
    await expect(chat.decision).to_contain_text("was interrupted")
    await window.picture("killed")
    gate.release()
    team.model("gamma").replies(gives("From gamma, again."))
    _ending(team)
    await chat.decide("Go on")
    await expect(chat.transcript).to_contain_text("The team has spoken.")
    await window.picture("resumed")
