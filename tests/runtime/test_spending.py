"""What a run costs: told as it goes, and bounded by its budget."""

import pytest

from teamwright.protocol.errors import BadParams
from tests.runtime.conftest import Hire
from tests.runtime.lines import TEAM, each_answers_once, gives, votes
from tests.support.model_server import ModelServer, Usage, calls, never_answers, text, tool
from tests.support.programs import play, says
from tests.support.programs.installation import Programs

CHEAP = Usage(input=10, output=5)


@pytest.mark.asyncio
async def test_usage_is_told_for_each_call_each_agent_and_the_whole_run(hire: Hire, models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(gives(f"By {name}.").costing(CHEAP), votes("agent2").costing(CHEAP))
    models.model("beta").replies(text("Done.").costing(CHEAP))
    crew = await hire()
    run = await crew.launch()
    finished = await crew.finished(run)

    assert finished["usage"] == {"inputTokens": 70, "outputTokens": 35, "cachedTokens": 0, "calls": 7}
    assert "costUsd" not in finished, "the price of a scripted model is not known, and unknown is not nothing"
    agents = {agent["agentId"]: agent["usage"]["calls"] for agent in crew.view(run)["agents"]}
    assert agents == {"alpha": 2, "beta": 3, "gamma": 2}
    reported = [record for record in crew.events if record["event"]["type"] == "usage.reported"]
    assert [record["event"]["usage"]["calls"] for record in reported] == [1] * 7
    assert {record["runId"] for record in reported} == {run}


@pytest.mark.asyncio
async def test_a_known_price_is_told_and_a_budget_of_money_kept(hire: Hire, programs: Programs) -> None:
    claude = programs.install("claude").replies(play(says("The answer.")))
    crew = await hire(config="agents: [{id: claude, backend: {type: claude_code}}]")
    run = await crew.launch(agentMode="single", refinement=True, budget={"usd": 0.01})
    # What the program will charge nobody knows before it has answered.
    await crew.approve((await crew.question("run"))["decisionId"])
    question = await crew.question("budget")
    assert (question["detail"]["limit"], question["detail"]["spent"]["usd"]) == ({"usd": 0.01}, 0.0123)
    await crew.approve(question["decisionId"], "cancel")
    finished = await crew.finished(run)
    assert (finished["costUsd"], finished["result"]["text"]) == (0.0123, "The answer.")
    assert (crew.view(run)["costUsd"], crew.view(run)["agents"][0]["costUsd"]) == (0.0123, 0.0123)
    assert len(claude.calls) == 1


@pytest.mark.asyncio
async def test_at_its_budget_a_run_asks_and_makes_no_call_until_it_is_answered(hire: Hire, models: ModelServer) -> None:
    together = models.gate("all at work")
    each_answers_once(models, gate=together)
    crew = await hire()
    run = await crew.launch(budget={"tokens": 30})
    await together.reached(3)
    together.release()
    question = await crew.question("budget")
    assert question["detail"]["limit"] == {"tokens": 30}
    assert question["detail"]["spent"]["tokens"] >= 30
    await crew.heard("agent.stopped", 3)
    # A fact from outside wakes whoever might think that it is time to go on.
    await crew.steer(run, "Well?")
    assert len(models.requests) == 3
    assert crew.timers() == 0

    await crew.approve(question["decisionId"])
    again = await crew.question("budget", 2)
    assert again["detail"]["limit"] == {"tokens": 57 + 30}, "counted from what had been spent when it was let go on"
    assert len(models.requests) > 3
    await crew.approve(again["decisionId"], "cancel")
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["text"].startswith("The answer of")) == ("cancelled", True)
    assert "stopped at its budget" in finished["error"]


@pytest.mark.asyncio
async def test_an_agent_in_mid_work_is_held_at_the_budget_and_then_goes_on_in_its_conversation(
    hire: Hire, models: ModelServer
) -> None:
    models.model("alpha").replies(calls(tool("list_files")), text("Done."))
    crew = await hire()
    run = await crew.launch(agentMode="single", budget={"tokens": 19})
    question = await crew.question("budget")
    await crew.event("item.finished", lambda r: r["event"]["item"]["kind"] == "tool_call")
    assert len(models.requests) == 1
    await crew.approve(question["decisionId"])
    finished = await crew.finished(run)
    assert finished["result"]["text"] == "Done."
    assert len(crew.log(run, "agent.started")) == 1
    assert [m[0] for m in models.requests[1].messages] == ["user", "tool"]


@pytest.mark.asyncio
async def test_on_its_own_a_run_stops_at_its_budget_with_the_best_answer(hire: Hire, models: ModelServer) -> None:
    together = models.gate("all at work")
    each_answers_once(models, gate=together)
    crew = await hire(extra="orchestrator: {interactive_mode: {autonomy: autonomous}}\n")
    run = await crew.launch(budget={"tokens": 30})
    await together.reached(3)
    together.release()
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["strategy"]) == ("completed", "best_answer")
    assert "stopped at its budget" in finished["error"]
    assert crew.log(run, "decision.requested") == []
    assert len(models.requests) == 3


@pytest.mark.asyncio
async def test_a_budget_of_time_is_kept_too(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(gives("In time."))
    models.model("beta").always(never_answers())
    crew = await hire("alpha", "beta", extra="orchestrator: {interactive_mode: {autonomy: autonomous}}\n")
    finished = await crew.finished(await crew.launch(budget={"seconds": 2}))
    assert (finished["outcome"], finished["result"]["text"]) == ("completed", "In time.")


@pytest.mark.asyncio
async def test_a_budget_of_money_that_cannot_be_kept_asks_first_and_is_refused_where_nobody_is_asked(
    hire: Hire, models: ModelServer
) -> None:
    crew = await hire(extra="orchestrator: {interactive_mode: {require_approval: false}}\n")
    run = await crew.launch(approval=None, budget={"usd": 1})
    question = await crew.question("run")
    assert question["detail"]["reason"].startswith("the price of a model is not known")
    await crew.approve(question["decisionId"], "cancel")
    assert (await crew.finished(run))["outcome"] == "cancelled"

    alone = await hire(extra="orchestrator: {interactive_mode: {autonomy: autonomous}}\n")
    with pytest.raises(BadParams, match=r"budget\.usd: the price of a model is not known"):
        await alone.launch(approval=None, budget={"usd": 1})
    assert models.requests == []
