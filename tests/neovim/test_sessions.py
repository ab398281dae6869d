"""Sessions, projects and modes from the editor."""

import pytest

from tests.support.doors import team_config
from tests.support.model_server import ModelServer, text
from tests.support.neovim.door import Nvim

pytestmark = pytest.mark.asyncio


@pytest.mark.proves("E2", "A6", "A9")
async def test_sessions_are_begun_found_forked_and_renamed(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(text("Blue."), text("Green."), text("Grey at night."))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Quorate ask What colour has the sky?")
    await editor.shows("Blue.")
    await editor.command("Quorate! chat")
    await editor.hides("Blue.")
    await editor.command("Quorate ask What colour has the grass?")
    await editor.shows("Green.")

    await editor.keys("<Esc>:Quorate search sky<CR>")
    await editor.shows("Found", "1:")
    await editor.keys("1<CR>")
    await editor.becomes("require('quorate.conversation').current().summary.title", "What colour has the sky?")
    await editor.shows("Blue.")
    await editor.command("Quorate sessions rename About the sky")
    await editor.shows("About the sky")
    await editor.command("Quorate fork")
    await editor.becomes("vim.tbl_count(require('quorate.store').sessions)", 3)
    await editor.command("Quorate ask And at night?")
    await editor.shows("Blue.", "Grey at night.")

    await editor.keys(":Quorate sessions<CR>")
    await editor.shows("Sessions", "1:", "2:", "3:", "Grey at night.", "Green.")
    await editor.keys("q<CR>")


@pytest.mark.proves("E6", "E2")
async def test_plan_mode_is_switched_by_key_and_modes_are_locked_while_the_session_works(
    nvim: Nvim, models: ModelServer
) -> None:
    slow = models.gate("slow")
    models.model("alpha").replies(text("Hello."), text("Wait.").waits_for(slow, at=1))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Quorate chat")
    await editor.keys("Hello?<C-s>")
    await editor.shows("Hello.")
    await editor.rests()
    await editor.keys("<S-Tab>")
    await editor.shows("modes: plan", " plan ")
    await editor.keys("<S-Tab>")
    await editor.shows("modes: auto")
    await editor.keys("Wait?<C-s>")
    await slow.reached()
    await editor.keys("<S-Tab>")
    await editor.shows("Quorate: This session is at work: change its modes when it is done")
    slow.release()


@pytest.mark.proves("B1", "E2")
async def test_a_project_is_made_and_shown_in_the_bar(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(text("Hello."))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Quorate ask Hello?")
    await editor.shows("Hello.")
    await editor.command("Quorate projects create migration")
    await editor.shows("project migration")
    await editor.command("Quorate projects select migration")
    await editor.becomes("require('quorate.conversation').current().summary.project", "migration")
