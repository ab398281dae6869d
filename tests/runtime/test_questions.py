"""Agents and persons: questions inside a run, and runs in which nobody is asked."""

import asyncio

import anyio
import pytest

from teamwright.protocol.errors import BadParams, Conflict
from tests.runtime.conftest import Hire
from tests.runtime.lines import TEAM, each_answers_once, gives, plans, votes
from tests.support.model_server import ModelServer, calls, text, tool

AUTONOMOUS = "orchestrator: {interactive_mode: {autonomy: autonomous}}\n"


@pytest.mark.asyncio
async def test_an_agent_asks_waits_and_goes_on_with_the_answer_while_the_others_work(
    hire: Hire, models: ModelServer
) -> None:
    each_answers_once(models, team=("beta", "gamma"))
    models.model("alpha").replies(
        calls(tool("request_input", question="Which port?", choices=["80", "443"])),
        gives("It is 8080."),
        votes("agent2"),
    )
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"orchestratorTimeoutSeconds": 30})
    question = await crew.question("input")
    assert question["detail"] == {"question": "Which port?", "choices": ["80", "443"], "agentId": "alpha"}
    await crew.heard("answer.submitted", 2)
    await anyio.wait_all_tasks_blocked()
    assert crew.timers() == 0, "the clocks of the run go on while a person is waited for"
    with pytest.raises(BadParams):
        await crew.approve(question["decisionId"], edits={"port": 1})

    await crew.respond(question["decisionId"], "Neither, 8080.")
    finished = await crew.finished(run)
    assert finished["outcome"] == "completed"
    assert models.requests_to("alpha")[1].tool_results[-1].text == "Neither, 8080."
    resolved = (await crew.event("decision.resolved"))["event"]
    assert (resolved["by"], resolved["text"]) == ("user", "Neither, 8080.")
    with pytest.raises(Conflict):
        await crew.respond(question["decisionId"], "Or 80?")


@pytest.mark.asyncio
async def test_a_question_that_a_person_declines_does_not_hold_its_agent_up(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(calls(tool("request_input", question="Why?")), text("Because."))
    crew = await hire()
    run = await crew.launch(agentMode="single")
    question = await crew.question("input")
    await crew.approve(question["decisionId"], "cancel")
    assert (await crew.finished(run))["result"]["text"] == "Because."
    assert "gave no answer" in models.requests[1].tool_results[-1].text


@pytest.mark.asyncio
async def test_of_two_who_answer_at_once_one_decides_and_the_other_is_told(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").always(text("Done."))
    crew = await hire()
    run = await crew.launch(agentMode="single", approval="ask")
    question = await crew.question("run")
    answers = await asyncio.gather(
        *(crew.approve(question["decisionId"], choice) for choice in ("approve", "cancel")), return_exceptions=True
    )
    decided, refused = sorted(answers, key=lambda answer: isinstance(answer, Conflict))
    assert isinstance(decided, dict)
    assert isinstance(refused, Conflict)
    assert refused.data == {"decision": decided}
    outcome = "completed" if decided["choice"] == "approve" else "cancelled"
    assert (await crew.finished(run))["outcome"] == outcome
    assert len(crew.log(run, "decision.resolved")) == 1


@pytest.mark.asyncio
async def test_on_its_own_a_run_asks_nobody_and_decides_by_policy(hire: Hire, models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(plans("The plan", "Walk"), votes("agent1"))
    models.model("alpha").replies(plans("The plan", "Walk"))
    models.model("alpha").replies(
        calls(tool("request_input", question="Which way?")), gives("Straight on."), votes("agent1")
    )
    for name in ("beta", "gamma"):
        models.model(name).replies(gives(f"The way of {name}."), votes("agent1"))
    models.model("alpha").replies(text("We walked."))
    crew = await hire(extra=AUTONOMOUS)
    run = await crew.launch(planningMode=True, approval=None)
    finished = await crew.finished(run)

    assert finished["outcome"] == "completed"
    asked = [record["event"]["decision"]["kind"] for record in crew.log(None, "decision.requested")]
    answered = [(record["event"]["choice"], record["event"]["by"]) for record in crew.log(None, "decision.resolved")]
    assert (asked, answered) == (["run", "plan"], [("approve", "policy")] * 2)
    assert all("request_input" not in request.tool_names for request in models.requests)
    denied = models.requests_to("alpha")[4].tool_results[-1].text
    assert "request_input" in denied
    child = await crew.event("run.started", lambda r: r["event"].get("parentRunId") == run)
    assert (await crew.finished(child["runId"]))["result"]["text"] == "We walked."
