"""From the first start to a crash: what is said when the server is missing or wrong, and what comes back."""

import os
import signal
from pathlib import Path

import pytest

from tests.runtime.lines import gives, votes
from tests.support.doors import team_config
from tests.support.model_server import ModelServer, answer, text, thinking, tool
from tests.support.neovim.door import Nvim

pytestmark = pytest.mark.asyncio


@pytest.mark.proves("F4", "E2")
async def test_on_a_fresh_machine_the_first_message_is_answered(nvim: Nvim) -> None:
    editor = await nvim()
    await editor.command("Teamwright ask What can you do?")
    await editor.shows("▎You", "What can you do?", "▎Assistant")
    print(editor.screen.text)


async def test_a_missing_server_is_said_with_how_to_get_it(nvim: Nvim) -> None:
    editor = await nvim(cmd="nil", env="{}")
    await editor.lua("vim.env.PATH = '/nowhere'")
    await editor.command("Teamwright ask Hello?")
    await editor.shows("the server is not installed", "`:Teamwright install` sets it up")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"cmd": "{'/nowhere/teamwright'}"}, 'the configured server command "/nowhere/teamwright" is not a program'),
        # Of a length that does not depend on where the tests run: a long message is wrapped, between any two words.
        ({"cmd": "{'sh', '-c', 'exit 3'}"}, "`sh -c exit 3` ended at once (code 3)"),
        ({"cmd": "{'sleep', '600'}", "start_timeout_ms": "500"}, "did not answer in time"),
    ],
    ids=["no program", "one that ends", "one that is silent"],
)
async def test_a_wrong_server_command_is_said_and_the_message_is_kept(
    nvim: Nvim, options: dict[str, str], said: str
) -> None:
    editor = await nvim(**options)
    await editor.command("Teamwright chat")
    await editor.shows(said)
    await editor.keys("Hello?<C-s>")
    await editor.becomes("vim.api.nvim_buf_get_lines(0, 0, -1, false)", ["Hello?"])


async def test_what_was_said_just_before_typing_begins_is_still_there_to_read(nvim: Nvim) -> None:
    editor = await nvim()
    begins = "vim.schedule(function() vim.schedule(function() vim.cmd.startinsert() end) end)"
    await editor.lua(f"require('teamwright.notify').error('the key is wrong.'); {begins}")
    await editor.shows("-- INSERT --", "the key is wrong.")


@pytest.mark.proves("D6", "D2", "E2")
async def test_after_a_restart_of_the_editor_history_and_open_questions_are_there(
    nvim: Nvim, models: ModelServer
) -> None:
    models.model("alpha").replies(
        answer(thinking("It must be a port."), tool("request_input", question="Which port?")), text("It is 8080.")
    )
    config = team_config(models, "alpha")
    editor = await nvim(config=config)
    await editor.command("Teamwright ask Start the server.")
    await editor.shows("The assistant asks", "Which port?")
    await editor.quit()

    editor = await nvim(config=config)
    await editor.command("Teamwright chat")
    await editor.shows("Start the server.", "▸ Thought about it", "The assistant asks", "Which port?", " ⚑ 1 ")
    await editor.command("Teamwright respond 8080")
    await editor.shows("It is 8080.")


@pytest.mark.proves("D6", "E2")
async def test_a_server_that_dies_in_the_middle_of_a_run_is_started_again_and_the_run_goes_on(
    nvim: Nvim, models: ModelServer
) -> None:
    voting = models.gate("the vote")
    models.model("alpha").replies(gives("One."), votes("agent1").waits_for(voting))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright run Say it.")
    await editor.shows("▎⚑ Run: Say it.")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("▎… Say it.", "● working")
    await voting.reached()
    models.model("alpha").replies(votes("agent1"), text("The end."))
    (pid,) = await editor.lua("return vim.api.nvim_get_proc_children(vim.fn.getpid())")
    os.kill(pid, signal.SIGKILL)
    await editor.shows("starting it again")
    await editor.shows("▎⚑ ")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("The end.", "✓ Completed")


@pytest.mark.proves("D6", "E2")
async def test_a_run_goes_on_after_a_restart_of_the_editor_in_its_middle(nvim: Nvim, models: ModelServer) -> None:
    config = team_config(models, "alpha")
    voting = models.gate("the vote")
    models.model("alpha").replies(gives("One."), votes("agent1").waits_for(voting))
    editor = await nvim(config=config)
    await editor.command("Teamwright run Say it.")
    await editor.shows("▎⚑ Run: Say it.")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("▎… Say it.", "● working")
    await voting.reached()
    await editor.quit()

    models.model("alpha").replies(votes("agent1"), text("The end."))
    editor = await nvim(config=config)
    await editor.command("Teamwright chat")
    await editor.shows("Say it.", "alpha", "▎⚑ ")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("The end.", "✓ Completed")


@pytest.mark.proves("E8")
async def test_a_fault_in_the_configuration_is_shown_at_its_place(nvim: Nvim, workspace: Path) -> None:
    (workspace / "teamwright.yaml").write_text("agents:\n  - id: alpha\n    backend: {type: opnai}\n", encoding="utf-8")
    editor = await nvim(opens="teamwright.yaml")
    await editor.command("lua vim.lsp.enable('teamwright')")
    await editor.command("edit")
    lines = "vim.tbl_map(function(each) return each.lnum end, vim.diagnostic.get(0))"
    assert await editor.holds(lines, bool) == [2]
