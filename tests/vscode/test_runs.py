"""The team at work, as a person meets it: approval, the vote, the last word, a question."""

from pathlib import Path

import pytest
from anyio import to_thread
from playwright.async_api import expect

from tests.runtime.lines import gives, plans, votes
from tests.support.model_server import ModelServer, calls, text, tool
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")


@pytest.mark.proves("E1", "D1")
async def test_a_run_is_edited_before_it_is_approved(workbench: Workbench, team: ModelServer, workspace: Path) -> None:
    team.model("alpha").replies(
        calls(tool("launch_run", task="Name the colours.", agent_mode="multi")),
        text("The team named them."),
    )
    team.model("beta").replies(text("Red, green and **blue**."))
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("Have the team name the colours.")
    card = chat.decision
    await expect(card).to_contain_text("Name the colours.")
    await window.picture("approval")
    await chat.decide("Edit…")
    await card.get_by_label("Task", exact=True).fill("Name the primary colours.")
    await card.get_by_label("Mode", exact=True).select_option("One agent")
    await card.get_by_label("Agents", exact=True).fill("beta")
    await card.get_by_label("Agents improve on each other's answers").uncheck()
    await window.picture("approval-edited")
    await chat.decide("Approve")
    await expect(chat.transcript).to_contain_text("Red, green and blue.")
    await expect(chat.transcript).to_contain_text("The team named them.")
    assert "Name the primary colours." in str(team.requests_to("beta")[-1].body["messages"])
    await expect(chat.frame.locator(".card.run header .task")).to_have_text("Name the primary colours.")
    await window.picture("approval-done")


@pytest.mark.proves("E1", "E6", "E7", "C7")
async def test_three_agents_answer_and_vote_and_a_person_overrides_by_key(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    gate = team.gate("gamma answers")
    options = {"override": "ask"}
    team.model("alpha").replies(
        calls(tool("launch_run", task="Which sort is best here?", coordination_overrides=options)),
        gives("Use **merge sort**: stable and predictable.\n\n```python\nitems.sort()\n```"),
        votes("agent1", "Stable, and no extra code."),
        text("You chose insertion sort."),
    )
    team.model("beta").replies(
        gives("Use **quick sort**: fast on average."), votes("agent1", "Stability matters for this list.")
    )
    team.model("gamma").replies(
        gives("Use **insertion sort**: the list is tiny.").waits_for(gate),
        votes("agent2", "Fast enough."),
        text("Insertion sort: the list has ten items."),
    )
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("Which sort shall we use? Ask the team.")
    await chat.decide("Approve")
    run = chat.frame.locator(".card.run")
    await expect(run.locator(".tone.busy", has_text="working")).to_have_count(1)
    await expect(chat.frame.get_by_role("toolbar", name="Modes").locator("select").first).to_be_disabled()
    await run.locator("vscode-button", has_text="Open the run").click()
    panel = await window.webview("run")
    await expect(panel.locator(".column")).to_have_count(3)
    await window.picture("run-at-work")
    gate.release()
    await expect(run).to_contain_text("Stability matters for this list.")
    await expect(chat.decision.locator(".column")).to_have_count(3)
    await window.picture("run-voted")
    await chat.message.click()
    await window.page.keyboard.press("Control+o")
    picker = panel.locator(".card.decision.waiting")
    await expect(picker.locator(".column")).to_have_count(3)
    await expect(picker.locator(".column .part-actions button").first).to_be_focused()
    await window.picture("override")
    await window.page.keyboard.press("3")
    await expect(picker).to_be_hidden()
    await expect(chat.transcript).to_contain_text("Insertion sort: the list has ten items.")
    await expect(chat.transcript).to_contain_text("You chose insertion sort.")
    await expect(panel.locator("td:has(.tone.accent)", has_text="gamma")).to_be_visible()
    await window.picture("run-finished")


@pytest.mark.proves("E1", "D2")
async def test_a_question_is_answered_in_the_panel(workbench: Workbench, team: ModelServer, workspace: Path) -> None:
    team.model("alpha").replies(
        calls(
            tool("request_input", question="Which **port** shall it use?", choices=["8080", "9090"])
        ),  # Shown as it is: what a person decides on hides nothing.
        text("It listens on 9090."),
    )
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("Set up the server.")
    await expect(chat.decision).to_contain_text("Which **port** shall it use?")
    await expect(window.status_bar).to_contain_text("1 to decide")
    await window.picture("question")
    await chat.decide("9090")
    await expect(chat.transcript).to_contain_text("It listens on 9090.")
    await expect(chat.transcript.locator(".decided")).to_contain_text("You decided: 9090")


@pytest.mark.proves("E1", "C6")
async def test_a_plan_is_read_and_carried_out_with_added_instructions(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    team.model("alpha").replies(
        calls(tool("launch_run", task="Plan the move.", agent_mode="single", planning_mode=True)),
        plans("The move", "Copy the files", "Switch over"),
        text("Moved, with a backup."),
        text("It is done."),
    )
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("Plan the move to the new host.")
    await chat.decide("Approve")
    await expect(chat.decision).to_contain_text("Copy the files")
    await chat.decision.get_by_label("Instructions").fill("Keep a backup.")
    await window.picture("plan")
    await chat.decide("Approve with instructions")
    await expect(chat.transcript).to_contain_text("It is done.")
    assert "Keep a backup." in str(team.requests_to("alpha")[-2].body["messages"])


@pytest.mark.proves("C15")
async def test_a_finished_run_is_seen_as_a_picture_and_kept_as_a_page(
    workbench: Workbench, team: ModelServer, workspace: Path
) -> None:
    for name in ("alpha", "beta", "gamma"):
        team.model(name).replies(gives("Close the file in a finally block."), votes("agent2"))
    team.model("beta").replies(text("Close the file."))
    window = await workbench.open(workspace)
    chat = await window.open_chat()
    await chat.say("/run Say it.")
    await chat.decide("Approve")
    run = chat.frame.locator(".card.run")
    await run.locator("vscode-button", has_text="Analyse the run").click()
    analysis = chat.frame.locator(".card.analysis")
    await expect(analysis).to_contain_text("All agents came to nearly the same answer")
    await expect(analysis.locator("svg text.name")).to_have_text(["alpha", "beta", "gamma"])
    await expect(analysis.locator("svg text.mark.accent")).to_have_count(1)
    await window.picture("analysis")
    await analysis.locator("vscode-button", has_text="Save a report").click()
    await expect(window.page.locator(".quick-input-widget", has_text="Save the report")).to_be_visible()
    await window.page.keyboard.press("Enter")
    await window.notification("The report is saved as")
    (report,) = [path for path in await to_thread.run_sync(lambda: [*workspace.iterdir()]) if path.suffix == ".html"]
    assert "Close the file in a finally block." in report.read_text(encoding="utf-8")
    await analysis.locator("vscode-button", has_text="Run again with these").click()
    await expect(chat.decision).to_contain_text("beta")
