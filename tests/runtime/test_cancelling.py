"""Cancelling, also at the most awkward moments: everything stops, nothing is lost, nothing is left behind."""

import asyncio
import threading
from contextlib import suppress
from functools import partial

import anyio
import pytest
from anyio import from_thread

from teamwright.protocol.errors import Conflict
from teamwright.tools.files.reading import ListFilesTool
from teamwright.tools.port import Outcome, Succeeded
from tests.runtime.conftest import Hire
from tests.runtime.crew import Crew
from tests.runtime.lines import TEAM, each_answers_once, gives, plans, votes
from tests.support.model_server import Answer, ModelServer, Request, calls, never_answers, text, tool
from tests.support.patience import PATIENCE_SECONDS


@pytest.mark.asyncio
async def test_while_answers_stream_in_the_connections_are_closed_and_what_was_said_is_kept(
    hire: Hire, models: ModelServer
) -> None:
    streaming = models.gate("in mid-sentence")
    models.model("alpha").replies(gives("The only answer."))
    for name in ("beta", "gamma"):
        models.model(name).replies(text("I would ", "say").waits_for(streaming, at=1))
    crew = await hire()
    run = await crew.launch()
    await streaming.reached(2)
    await crew.heard("item.delta", 2)
    await crew.event("agent.stopped")
    assert await crew.cancel(run)
    finished = await crew.finished(run)

    assert (finished["outcome"], finished["result"]["text"]) == ("cancelled", "The only answer.")
    said = [r["event"]["item"]["text"] for r in crew.log(run, "item.finished") if "text" in r["event"]["item"]]
    assert said == ["I would ", "I would "]
    for name in ("beta", "gamma"):
        await models.requests_to(name)[0].disconnected()
    assert not await crew.cancel(run)
    assert len(crew.log(run, "cancel.requested")) == 1


@pytest.mark.asyncio
async def test_while_a_lone_agent_writes_its_half_a_text_is_the_partial_result(hire: Hire, models: ModelServer) -> None:
    streaming = models.gate("in mid-sentence")
    models.model("alpha").replies(text("Half ", "a text.").waits_for(streaming, at=1))
    crew = await hire()
    run = await crew.launch(agentMode="single")
    await crew.event("item.delta")
    await crew.cancel(run)
    finished = await crew.finished(run)
    assert finished["result"] == {"text": "Half ", "agentId": "alpha", "strategy": "partial"}


@pytest.mark.asyncio
async def test_while_a_tool_runs_it_is_stopped_and_shown_as_cancelled(
    hire: Hire, models: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, released = anyio.Event(), threading.Event()

    def endless(*_: object) -> Outcome:
        from_thread.run_sync(running.set)
        released.wait(PATIENCE_SECONDS)
        return Succeeded("Nobody hears this.")

    monkeypatch.setattr(ListFilesTool, "work", endless)
    models.model("alpha").replies(calls(tool("list_files", path="scratch")))
    crew = await hire()
    run = await crew.launch(agentMode="single")
    async with asyncio.timeout(PATIENCE_SECONDS):
        await running.wait()
    await crew.cancel(run)
    assert (await crew.finished(run))["outcome"] == "cancelled"
    released.set()
    item = crew.log(run, "item.finished")[0]["event"]["item"]
    assert (item["name"], item["status"]) == ("list_files", "cancelled")


@pytest.mark.asyncio
async def test_while_agents_wait_for_a_person_the_questions_are_withdrawn(hire: Hire, models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(calls(tool("request_input", question=f"What now, {name}?")))
    crew = await hire()
    run = await crew.launch()
    questions = [await crew.question("input", number) for number in (1, 2, 3)]
    await crew.cancel(run)
    assert (await crew.finished(run))["outcome"] == "cancelled"
    resolved = [record["event"]["by"] for record in crew.log(run, "decision.resolved")]
    assert resolved == ["cancelled"] * 3
    with pytest.raises(Conflict):
        await crew.respond(questions[0]["decisionId"], "Too late.")


@pytest.mark.asyncio
async def test_while_it_waits_for_its_approval_a_run_never_starts(hire: Hire, models: ModelServer) -> None:
    crew = await hire()
    run = await crew.launch(approval="ask")
    question = await crew.question("run")
    assert await crew.cancel(run)
    assert (await crew.finished(run))["outcome"] == "cancelled"
    with pytest.raises(Conflict):
        await crew.approve(question["decisionId"])
    assert crew.log(run, "run.started") == []
    assert models.requests == []


@pytest.mark.asyncio
async def test_while_it_is_being_set_up_a_run_makes_no_call(
    hire: Hire, models: ModelServer, setting_up: threading.Event
) -> None:
    crew = await hire()
    run = await crew.launch()
    assert await crew.cancel(run)
    setting_up.set()
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["usage"]["calls"]) == ("cancelled", 0)
    assert models.requests == []


@pytest.mark.asyncio
async def test_while_its_plan_waits_for_a_person_the_plan_is_the_result(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(plans("The plan", "Walk"))
    crew = await hire()
    run = await crew.launch(agentMode="single", planningMode=True)
    await crew.question("plan")
    await crew.cancel(run)
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["strategy"]) == ("cancelled", "plan")


@pytest.mark.asyncio
async def test_while_its_budget_waits_for_a_person_the_best_answer_is_the_result(
    hire: Hire, models: ModelServer
) -> None:
    each_answers_once(models)
    crew = await hire()
    run = await crew.launch(budget={"tokens": 57})
    question = await crew.question("budget")
    await crew.cancel(run)
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["strategy"]) == ("cancelled", "best_answer")
    assert len(models.requests) == 3
    with pytest.raises(Conflict):
        await crew.approve(question["decisionId"])


@pytest.mark.asyncio
async def test_a_house_that_closes_leaves_runs_as_they_stand_to_be_taken_up_again(
    hire: Hire, models: ModelServer
) -> None:
    models.model("alpha").replies(gives("One."))
    for name in ("beta", "gamma"):
        models.model(name).always(never_answers())
    crew = await hire()
    run = await crew.launch()
    await crew.event("agent.stopped")
    await models.received(3)
    await crew.__aexit__(None)
    assert [record["event"]["reason"] for record in crew.log(run, "agent.stopped")] == ["answered"]
    assert crew.log(run, "run.finished") == []


def by_the_book(request: Request) -> Answer:
    if "vote" in request.tool_names:
        return votes("agent2")
    return gives("An answer.") if "new_answer" in request.tool_names else text("The end.")


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("word", ["cancel", "steer"])
async def test_whatever_the_last_fact_was_a_cancel_ends_a_run_and_a_word_does_not_break_it(
    word: str, hire: Hire, models: ModelServer
) -> None:
    """A sweep over every moment of a run; what must hold of each is in the audit."""
    for name in TEAM:
        models.model(name).always(by_the_book)
    crew = await hire()
    reached = True
    moment = cancelled = 0
    while reached:
        moment += 1
        run = await crew.launch()
        await crew.until(partial(_has_come_to, crew, run, moment))
        reached = not crew.log(run, "run.finished")
        # It may come to its end just now; then there is nothing left to cancel, and nobody to hear the word.
        is_cancelled = word == "cancel" and await crew.cancel(run)
        if word == "steer":
            with suppress(Conflict):
                await crew.steer(run, "Mind the gap.")
        assert (await crew.finished(run))["outcome"] == ("cancelled" if is_cancelled else "completed")
        cancelled += is_cancelled
    assert moment > 30
    assert cancelled > 20 or word == "steer"


def _has_come_to(crew: Crew, run: str, facts: int) -> bool:
    return len(crew.log(run)) >= facts or bool(crew.log(run, "run.finished"))
