"""Talking to the assistant in the split."""

from pathlib import Path

import pytest

from tests.support.doors import team_config
from tests.support.model_server import ModelServer, answer, calls, fails, text, thinking, tool
from tests.support.neovim.door import Nvim

pytestmark = pytest.mark.asyncio


@pytest.mark.proves("E2", "A1")
async def test_a_message_is_written_in_the_split_and_its_answer_streams_in(nvim: Nvim, models: ModelServer) -> None:
    rest = models.gate("the rest")
    models.model("alpha").replies(text("The sky ", "is blue.").waits_for(rest, at=1))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright chat")
    await editor.keys("Why is the sky blue?<C-s>")
    screen = await editor.shows("▎You", "Why is the sky blue?", "▎Assistant", "The sky")
    assert "is blue." not in screen
    rest.release()
    await editor.shows("The sky is blue.")
    await editor.keys("<Up>")
    await editor.becomes("vim.api.nvim_get_current_line()", "Why is the sky blue?")


@pytest.mark.proves("D7", "E2")
async def test_thoughts_are_shown_apart_while_they_come_and_folded_when_they_are_over(
    nvim: Nvim, models: ModelServer
) -> None:
    rest = models.gate("the rest")
    thoughts = thinking("Light is scattered,\n", "blue more than red.")
    models.model("alpha").replies(answer(thoughts, "It is scattered light.").waits_for(rest, at=2))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright ask Why is the sky blue?")
    await editor.shows("▾ Thinking…", "Light is scattered,")
    rest.release()
    screen = await editor.shows("▸ Thought about it", "It is scattered light.")
    assert "Light is scattered" not in screen
    await editor.rests()
    await editor.command("wincmd l")
    await editor.keys("gg/Thought<CR>zo")
    await editor.shows("Light is scattered,", "blue more than red.")


@pytest.mark.proves("E2", "A2")
async def test_lines_of_a_file_are_attached_and_tool_calls_are_folded(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    (workspace / "a.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    models.model("alpha").replies(calls(tool("read_file", path="a.txt")), text("It counts."))
    editor = await nvim(config=team_config(models, "alpha"), opens="a.txt")
    await editor.command("2,3Teamwright ask What does it do?")
    await editor.shows("↳ a.txt, lines 2\N{EN DASH}3", "✓ Read a.txt", "It counts.")
    assert "two" in models.requests[-1].text
    assert await editor.lua("return vim.fn.bufname()") == "a.txt", "asking leaves the cursor where it is"


@pytest.mark.proves("E2", "E7")
async def test_a_turn_can_be_cancelled_and_a_failure_is_told_in_the_transcript(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(text("I begin ", "and end.").stalls(after=1), fails(401))
    editor = await nvim(config=team_config(models, "alpha"))
    heard = "vim.api.nvim_create_autocmd('User', {pattern = 'TeamwrightTurnFinished', callback = function(event) "
    await editor.lua(f"{heard} _G.outcome = event.data.event.outcome end}})")
    await editor.command("Teamwright ask Begin.")
    await editor.shows("I begin")
    assert "working" in await editor.lua("return require('teamwright').statusline()")
    await editor.command("Teamwright cancel")
    await editor.shows("· Cancelled")
    assert await editor.lua("return _G.outcome") == "cancelled"
    await editor.command("Teamwright ask Again.")
    await editor.shows("✗ ", "SCRIPTED_KEY")


@pytest.mark.proves("E2", "A1")
async def test_a_message_to_a_busy_assistant_waits_below_and_can_be_taken_back(nvim: Nvim, models: ModelServer) -> None:
    rest = models.gate("the rest")
    models.model("alpha").replies(text("One ", "thing.").waits_for(rest, at=1))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright ask Tell me one thing.")
    await editor.shows("One")
    await editor.command("Teamwright ask And another.")
    await editor.shows("▎You ⧗", "And another.", "Take back")
    await editor.command("wincmd l | normal! G")
    await editor.keys("<CR>")
    await editor.shows("x  Take back")
    await editor.keys("x")
    await editor.shows("▎You ■", "And another.")
    rest.release()
    await editor.shows("One thing.")
    assert [request.model for request in models.requests if request.model] == ["alpha"]
