"""Sessions, projects and modes from the editor."""

import pytest

from tests.runtime.lines import plans, votes
from tests.support.doors import team_config
from tests.support.model_server import ModelServer, calls, text, tool
from tests.support.neovim.door import Nvim

pytestmark = pytest.mark.asyncio


@pytest.mark.proves("E2", "A6", "A9")
async def test_sessions_are_begun_found_forked_and_renamed(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(text("Blue."), text("Green."), text("Grey at night."))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright ask What colour has the sky?")
    await editor.shows("Blue.")
    await editor.command("Teamwright! chat")
    await editor.hides("Blue.")
    await editor.command("Teamwright ask What colour has the grass?")
    await editor.shows("Green.")

    await editor.keys("<Esc>:Teamwright search sky<CR>")
    await editor.shows("Found", "1:")
    await editor.keys("1<CR>")
    await editor.becomes("require('teamwright.sessions').current().summary.title", "What colour has the sky?")
    await editor.shows("Blue.")
    await editor.command("Teamwright sessions rename About the sky")
    await editor.shows("About the sky")
    await editor.command("Teamwright fork")
    await editor.becomes("vim.tbl_count(require('teamwright.sessions').opened)", 3)
    await editor.command("Teamwright ask And at night?")
    await editor.shows("Blue.", "Grey at night.")

    await editor.keys(":Teamwright sessions<CR>")
    await editor.shows("Sessions", "1:", "2:", "3:", "Grey at night.", "Green.")
    await editor.keys("q<CR>")


async def test_a_menu_is_left_by_an_interrupt_without_a_word(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(text("Blue."), text("Still blue."))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright ask What colour has the sky?")
    await editor.shows("Blue.")
    await editor.keys("<Esc>:Teamwright sessions<CR>")
    await editor.shows("Sessions", "1:")
    await editor.keys("<C-c>")
    await editor.command("Teamwright ask And now?")
    screen = await editor.shows("Still blue.")
    assert "traceback" not in screen + await editor.lua("return vim.fn.execute('messages')")


@pytest.mark.proves("E6", "E2")
async def test_plan_mode_is_switched_by_key_and_modes_are_locked_while_the_session_works(
    nvim: Nvim, models: ModelServer
) -> None:
    slow = models.gate("slow")
    plan = plans("The greeting", "Say hello")
    models.model("alpha").replies(plan, votes("agent1"), plan, text("Wait.").waits_for(slow, at=1))
    never_asks = "orchestrator: {interactive_mode: {require_approval: false}}\n"
    editor = await nvim(config=team_config(models, "alpha", extra=never_asks))
    await editor.command("Teamwright chat")
    await editor.keys("<S-Tab>")
    await editor.shows("modes: plan")
    await editor.keys("Hello?<C-s>")
    await editor.shows("Plan: The greeting", "Say hello", " plan ")
    await editor.command("Teamwright approve")
    await editor.shows("c  Keep the plan only")
    await editor.keys("c")
    await editor.rests()
    await editor.keys("<S-Tab>")
    await editor.shows("modes: auto")
    await editor.keys("Wait?<C-s>")
    await slow.reached()
    await editor.keys("<S-Tab>")
    await editor.shows("Teamwright: This session is at work: change its modes when it is done")
    slow.release()


@pytest.mark.proves("B1", "E2")
async def test_a_project_is_made_and_shown_in_the_bar(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(text("Hello."))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright ask Hello?")
    await editor.shows("Hello.")
    await editor.command("Teamwright projects create migration")
    await editor.shows("project migration")
    await editor.command("Teamwright projects select migration")
    await editor.becomes("require('teamwright.sessions').current().summary.project", "migration")


@pytest.mark.proves("D2", "E2")
async def test_what_waits_in_another_session_is_answered_from_here(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(
        calls(tool("request_input", question="Which port?", choices=["80", "8080"])),
        text("It is 8080."),
        calls(tool("request_input", question="Which host?")),
        text("It is local."),
    )
    config = team_config(models, "alpha")
    editor = await nvim(config=config)
    await editor.command("Teamwright ask Start the server.")
    await editor.shows("▎⚑ The assistant asks", "Which port?")
    await editor.command("Teamwright! chat")
    await editor.hides("The assistant asks")
    await editor.command("Teamwright approve")
    await editor.shows("Which port?", "1  80", "2  8080", "Answer in your own words")
    await editor.keys("2")
    await editor.hides("⚑ 1")
    await editor.command("Teamwright ask Start another.")
    await editor.shows("Which host?")
    await editor.quit()

    editor = await nvim(config=config)
    await editor.command("Teamwright approve")
    await editor.shows("Which host?", "r  Answer")
    await editor.keys("q")
    await editor.command("Teamwright respond localhost")
    await editor.command("Teamwright chat")
    await editor.shows("It is local.", "You decided: localhost")


@pytest.mark.proves("A12", "E2")
async def test_the_list_of_tasks_stands_in_the_bar_and_is_edited(nvim: Nvim, models: ModelServer) -> None:
    tasks = [{"id": "1", "title": "Write the parser", "state": "done"}, {"id": "2", "title": "Write its tests"}]
    models.model("alpha").replies(calls(tool("task_list", tasks=tasks)), text("That is the plan."))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright ask Plan the parser.")
    await editor.shows(
        "That is the plan.", "▎… 1 of 2 tasks done", "Write its tests", "Go on with the next / Edit the list"
    )
    bar = "return require('teamwright.ui.status').bar()"
    assert "1 of 2 tasks done" in await editor.lua(bar)
    await editor.command("Teamwright tasks")
    await editor.shows(":w sends what stands here", '"Write its tests"')
    await editor.keys(':%s/"pending"/"dropped"/<CR>:w<CR>')
    await editor.shows("▎✓ 1 of 1 task done")
    assert "tasks done" not in await editor.lua(bar)
