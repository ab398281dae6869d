"""The team at work, seen and steered from the split."""

import json
from pathlib import Path

import pytest

from tests.runtime.lines import TEAM, each_answers_once, gives, plans, votes
from tests.support.doors import team_config
from tests.support.model_server import ModelServer, calls, text, tool
from tests.support.neovim.door import Nvim

pytestmark = pytest.mark.asyncio

ASKS_WHO_PRESENTS = "orchestrator: {interactive_mode: {override: ask}}\n"
NEVER_ASKS_WHO_PRESENTS = "orchestrator: {interactive_mode: {override: 'off'}}\n"


@pytest.mark.proves("E2", "D1")
async def test_a_run_is_shown_before_it_starts_and_runs_as_edited(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done by one."))
    editor = await nvim(config=team_config(models, *TEAM))
    await editor.command("Teamwright run Tidy the house.")
    await editor.shows("▎⚑ Run", "Tidy the house.", "alpha, beta and gamma", "Approve / Approve with changes", " ⚑ 1 ")
    await editor.command("Teamwright approve")
    await editor.shows("a  Approve", "c  Cancel", "e  Edit", "q  Not now")
    await editor.keys("e")
    await editor.shows(":w sends what stands here", '"Mode": "The team"', "One agent | The team")
    await editor.keys(':%s/"The team"/"One agent"/<CR>:%s/"beta",$//<CR>:%s/"gamma"$//<CR>:%s/"alpha",$/"alpha"/<CR>')
    await editor.keys(""":%s/other's answers": true/other's answers": false/<CR>:w<CR>""")
    await editor.shows("sent as it stood there.")
    await editor.shows("Done by one.", "✓ Completed")
    assert [request.model for request in models.requests if request.model] == ["alpha"]


@pytest.mark.proves("E2")
async def test_answers_and_votes_are_shown_on_the_card_and_in_a_column_for_each_agent(
    nvim: Nvim, models: ModelServer
) -> None:
    last_vote = models.gate("the last vote")
    each_answers_once(models, team=("alpha", "beta"))
    models.model("gamma").replies(gives("The answer of gamma."), votes("agent2", "It is short.").waits_for(last_vote))
    editor = await nvim(config=team_config(models, *TEAM, extra=NEVER_ASKS_WHO_PRESENTS))
    await editor.command("Teamwright run Say it.")
    await editor.shows("▎⚑ ")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("● Voting", "✓ voted for beta", "● working")
    last_vote.release()
    await editor.shows(
        "✓ Completed", "The team chose beta, with 3 of 3 votes", "presented by beta", "The final words of beta."
    )

    await editor.keys("<C-w>l<C-w>kgg/Completed<CR><CR>")
    await editor.shows(
        "alpha · voted for beta", "The answer of alpha.", "The answer of gamma.", "✓ Voted for beta", "It is short."
    )
    assert await editor.lua("return #vim.api.nvim_tabpage_list_wins(0)") == 4, "the run, and a column for each agent"
    await editor.keys("q")
    await editor.becomes("#vim.api.nvim_list_tabpages()", 1)


@pytest.mark.proves("E2", "E6", "C7")
async def test_the_vote_is_overruled_by_key(nvim: Nvim, models: ModelServer) -> None:
    for name in ("alpha", "beta"):
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent2"))
    models.model("alpha").replies(text("Alpha has the last word."))
    editor = await nvim(config=team_config(models, "alpha", "beta", extra=ASKS_WHO_PRESENTS))
    await editor.command("Teamwright chat")
    await editor.command("Teamwright run Say it.")
    await editor.shows("▎⚑ ")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("▎⚑ beta was chosen to present")
    await editor.keys("<Esc><C-o>")
    await editor.shows("1  Present alpha's answer", "c  Let the vote stand", "The answer of beta.")
    await editor.keys("1")
    await editor.shows("Alpha has the last word.")


@pytest.mark.proves("E2", "C12")
async def test_a_word_to_the_team_reaches_the_agents_and_stands_in_the_transcript(
    nvim: Nvim, models: ModelServer
) -> None:
    looking = models.gate("alpha looks around")
    models.model("alpha").replies(
        calls(tool("list_files")).waits_for(looking), gives("One."), votes("agent1"), text("Done.")
    )
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright run Look.")
    await editor.shows("▎⚑ ")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await looking.reached()
    await editor.shows("● Answering")
    await editor.command("Teamwright steer Mind the budget.")
    await editor.shows("You told alpha")
    await editor.shows("Mind the budget.")
    looking.release()
    await editor.shows("Done.")
    assert "Mind the budget." in models.requests[-3].tool_results[-1].text


@pytest.mark.proves("E2", "D2")
async def test_a_question_of_the_team_is_answered_in_ones_own_words(nvim: Nvim, models: ModelServer) -> None:
    models.model("alpha").replies(calls(tool("request_input", question="Which port?")), text("It is 8080."))
    editor = await nvim(config=team_config(models, "alpha"))
    await editor.command("Teamwright ask Start the server.")
    await editor.shows("▎⚑ The assistant asks", "Which port?", " ⚑ 1 ")
    await editor.command("Teamwright respond 8080")
    await editor.shows("It is 8080.", "You decided: 8080")
    assert models.requests[-1].tool_results[-1].text == "8080"


@pytest.mark.proves("E2", "C6")
async def test_a_plan_is_shown_and_carried_out_with_instructions(nvim: Nvim, models: ModelServer) -> None:
    plan = plans("Cross the river", "Look", "Leap")
    models.model("alpha").replies(plan, votes("agent1"), plan, gives("Crossed."), votes("agent1"), text("Across."))
    editor = await nvim(config=team_config(models, "alpha"), decisions='"select"')
    await editor.command("Teamwright plan Cross the river.")
    await editor.shows("▎⚑ ")
    await editor.keys(":Teamwright approve<CR>1<CR>")
    await editor.shows("Look", "Leap", "▎⚑ Plan: Cross the river")
    await editor.keys(":Teamwright approve<CR>")
    await editor.shows("Approve with instructions")
    await editor.keys("3<CR>Mind the current.<CR>")
    await editor.shows("Across.")
    assert "Mind the current." in json.dumps(models.requests[-1].body)


@pytest.mark.proves("C15")
async def test_a_finished_run_is_analysed_asked_for_again_and_kept_as_a_page(
    nvim: Nvim, models: ModelServer, workspace: Path
) -> None:
    for name in TEAM:
        models.model(name).replies(gives("Close the file in a finally block."), votes("agent2"))
    models.model("beta").replies(text("Close the file."))
    editor = await nvim(config=team_config(models, *TEAM, extra=NEVER_ASKS_WHO_PRESENTS))
    await editor.command("Teamwright run Say it.")
    await editor.shows("▎⚑ ")
    await editor.command("Teamwright approve")
    await editor.keys("a")
    await editor.shows("✓ Completed", "Open the run / Continue / Analyse the run / Save")

    await editor.keys("<C-w>l<C-w>kgg/Completed<CR>a")
    await editor.shows("y  Analyse the run")
    await editor.keys("y")
    await editor.shows("Analysis of the run: 1 thing to know", "A an answer")
    await editor.keys("G")
    await editor.shows("! All agents came to nearly the same answer")
    await editor.keys("gg/Analysis of the run<CR>a")
    await editor.shows("r  Run again with these", "w  Save a report")
    await editor.keys("w")
    await editor.shows("Save the report as: ")
    await editor.keys("<C-u>report.html<CR>")
    await editor.shows("the report is saved as report.html.")
    page = (workspace / "report.html").read_text(encoding="utf-8")
    assert "Close the file in a finally block." in page

    await editor.keys("gg/Analysis of the run<CR>a")
    await editor.shows("r  Run again with these")
    await editor.keys("r")
    await editor.shows(" ⚑ 1 ")
    await editor.command("Teamwright stats")
    await editor.shows("# The team in 1 run")
