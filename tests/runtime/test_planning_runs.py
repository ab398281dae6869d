"""Planning: a plan instead of an answer, a person's word on it, and the run that carries it out."""

import anyio
import pytest

from teamwright.protocol.errors import BadParams
from tests.runtime.conftest import Hire
from tests.runtime.crew import Crew, Json
from tests.runtime.lines import TEAM, gives, plans, votes
from tests.support.model_server import ModelServer, text


def agreed_plan(models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(plans(f"Plan of {name}", "Look", "Leap"), votes("agent2"))
    models.model("beta").replies(plans("The plan", "Look twice", "Leap once"))


def carried_out(models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(gives(f"Done by {name}."), votes("agent1"))
    models.model("alpha").replies(text("It is done."))


async def child_of(crew: Crew, run: str) -> Json:
    return await crew.event("run.started", lambda r: r["event"].get("parentRunId") == run)


@pytest.mark.asyncio
async def test_an_approved_plan_is_carried_out_by_a_run_of_its_own(hire: Hire, models: ModelServer) -> None:
    agreed_plan(models)
    carried_out(models)
    crew = await hire()
    run = await crew.launch("Cross the river.", planningMode=True)
    question = await crew.question("plan")
    planned = await crew.event("plan.proposed")
    assert [task["title"] for task in question["detail"]["plan"]["tasks"]] == ["Look twice", "Leap once"]
    assert "Look twice" in await anyio.Path(planned["event"]["path"]).read_text(encoding="utf-8")
    assert len(models.requests) == 7

    await crew.approve(question["decisionId"], instructions="Mind the current.")
    child = await child_of(crew, run)
    finished = await crew.finished(run)

    assert child["event"]["spec"]["planningMode"] is False
    assert (finished["outcome"], finished["result"]["strategy"]) == ("completed", "plan")
    executed = await crew.finished(child["runId"])
    assert (executed["outcome"], executed["result"]["text"]) == ("completed", "It is done.")
    told = models.requests[7].messages[-1][1]
    assert all(each in told for each in ("Cross the river.", "Leap once", "Mind the current."))
    kinds = [decision["event"]["decision"]["kind"] for decision in crew.log(None, "decision.requested")]
    assert kinds == ["plan"], "the execution was asked about once more"
    ends = [record["runId"] for record in crew.log(None, "run.finished")]
    assert ends == [child["runId"], run]
    assert len(models.requests) == 14
    assert "new_answer" not in models.requests[0].tool_names


@pytest.mark.asyncio
async def test_an_edited_plan_is_what_is_carried_out_and_one_that_cannot_be_read_is_refused(
    hire: Hire, models: ModelServer
) -> None:
    agreed_plan(models)
    carried_out(models)
    crew = await hire()
    run = await crew.launch(planningMode=True)
    question = await crew.question("plan")
    with pytest.raises(BadParams, match=r"plan\.tasks"):
        await crew.approve(question["decisionId"], edits={"plan": {"title": "Mine", "tasks": []}})
    tasks = [{"id": "1", "title": "Take the bridge"}]
    await crew.approve(question["decisionId"], edits={"plan": {"title": "Mine", "tasks": tasks}})
    child = await child_of(crew, run)
    await crew.finished(run)
    assert "Take the bridge" in child["event"]["spec"]["task"]
    assert "Leap once" not in child["event"]["spec"]["task"]


@pytest.mark.asyncio
async def test_a_plan_that_is_not_approved_is_kept_and_is_the_result(hire: Hire, models: ModelServer) -> None:
    agreed_plan(models)
    crew = await hire()
    run = await crew.launch(planningMode=True)
    question = await crew.question("plan")
    await crew.approve(question["decisionId"], "cancel")
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["strategy"]) == ("completed", "plan")
    assert "Look twice" in finished["result"]["text"]
    assert len(models.requests) == 7


@pytest.mark.asyncio
async def test_a_plan_to_be_executed_is_not_asked_about_and_words_are_a_plan_too(
    hire: Hire, models: ModelServer
) -> None:
    models.model("alpha").replies(text("# Walk\nOver the bridge."), text("I walked."))
    crew = await hire()
    run = await crew.launch(planningMode=True, executeAfterPlanning=True, agentMode="single")
    child = await child_of(crew, run)
    finished = await crew.finished(run)
    assert finished["outcome"] == "completed"
    assert (await crew.event("plan.proposed"))["event"]["plan"]["tasks"][0]["title"] == "Walk"
    assert (await crew.finished(child["runId"]))["result"]["text"] == "I walked."
    assert crew.log(None, "decision.requested") == []
    assert models.requests[0].tool_names[0] == "submit_plan"


@pytest.mark.asyncio
async def test_cancelling_a_plan_under_execution_cancels_the_execution_and_keeps_the_plan(
    hire: Hire, models: ModelServer
) -> None:
    working = models.gate("at work")
    models.model("alpha").replies(plans("The plan", "Walk"), text("Walking.").waits_for(working, at=1))
    crew = await hire()
    run = await crew.launch(planningMode=True, executeAfterPlanning=True, agentMode="single")
    child = await child_of(crew, run)
    await working.reached()
    await crew.phase(run, "executing")
    assert await crew.cancel(run)
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["strategy"]) == ("cancelled", "plan")
    assert (await crew.finished(child["runId"]))["outcome"] == "cancelled"
    await models.requests[1].disconnected()
    assert len(crew.log(child["runId"], "cancel.requested")) == 1
