"""A session's budget, kept by its runs: what other runs have spent counts, and nobody works until it is answered."""

from typing import Any

import pytest

from tests.runtime.conftest import Hire
from tests.runtime.lines import each_answers_once
from tests.support.doors import team_config
from tests.support.model_server import ModelServer, Usage, text

pytestmark = pytest.mark.asyncio


def budget(mode: str = "hitl", **limits: float) -> str:
    parts = ", ".join(f"{name}: {limit}" for name, limit in limits.items())
    return f"orchestrator: {{interactive_mode: {{autonomy: {mode}, session_budget: {{{parts}}}}}}}\n"


@pytest.mark.parametrize(
    ("extra", "own", "whose"), [(budget(tokens=60), {}, "session"), ("", {"budget": {"tokens": 60}}, "run")]
)
async def test_who_lets_it_go_on_is_asked_again_only_after_as_much_again(
    hire: Hire, models: ModelServer, extra: str, own: dict[str, Any], whose: str
) -> None:
    each_answers_once(models)
    crew = await hire(extra=extra)
    run = await crew.launch(**own)
    question = await crew.question("budget")
    assert (question["detail"]["of"], question["detail"]["limit"]) == (whose, {"tokens": 60})
    await crew.approve(question["decisionId"])
    finished = await crew.finished(run)
    # Seven calls of 19 tokens: the second sixty begin where the question was asked, at 76 or more.
    assert (finished["outcome"], finished["usage"]["calls"]) == ("completed", 7)
    assert len(crew.log(run, "decision.requested")) == 1


async def test_what_one_run_has_spent_is_asked_about_before_the_next_calls_anybody(
    hire: Hire, models: ModelServer
) -> None:
    models.model("alpha").replies(text("One.").costing(Usage(input=90, output=10)))
    crew = await hire("alpha", extra=budget(tokens=100))
    await crew.finished(await crew.launch(agentMode="single"))
    session = crew.events[0]["sessionId"]

    refused = await crew.launch(agentMode="single", sessionId=session)
    question = await crew.question("budget")
    assert question["detail"]["spent"]["tokens"] == 100
    await crew.approve(question["decisionId"], "cancel")
    finished = await crew.finished(refused)
    assert (finished["outcome"], "result" in finished) == ("cancelled", False)
    assert finished["error"] == "The run was stopped at its session's budget; no agent had answered."
    assert len(models.requests) == 1

    models.model("alpha").replies(text("Two.").costing(Usage(input=90, output=9)))
    models.model("alpha").replies(text("Three."))
    allowed = await crew.launch(agentMode="single", sessionId=session)
    await crew.approve((await crew.question("budget", 2))["decisionId"])
    assert (await crew.finished(allowed))["result"]["text"] == "Two."
    third = await crew.launch(agentMode="single", sessionId=session)
    assert (await crew.finished(third))["result"]["text"] == "Three.", "one token is left of the second hundred"


async def test_on_its_own_a_run_ends_at_its_sessions_budget(hire: Hire, models: ModelServer) -> None:
    together = models.gate("all at work")
    each_answers_once(models, gate=together)
    crew = await hire(extra=budget("autonomous", tokens=30))
    run = await crew.launch()
    await together.reached(3)
    together.release()
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["strategy"]) == ("completed", "best_answer")
    assert "stopped at its session's budget" in finished["error"]
    assert crew.log(run, "budget.reached")[0]["event"]["sessionLimit"] == {"tokens": 30}
    assert crew.log(run, "decision.requested") == []


async def test_a_run_that_may_cost_more_than_is_left_is_asked_about_first(hire: Hire, models: ModelServer) -> None:
    price = "price: {input_per_mtok: 1000, output_per_mtok: 1000}, model:"
    extra = "orchestrator: {interactive_mode: {require_approval: false, session_budget: {usd: 1}}}\n"
    config = team_config(models, "alpha", extra=extra).replace("model:", price)
    crew = await hire(config=config)
    run = await crew.launch(approval=None, agentMode="single")
    question = await crew.question("run")
    assert question["detail"]["reason"] == "it may cost more than the $1.00 that are left of the session's budget"
    await crew.approve(question["decisionId"], "cancel")
    await crew.finished(run)
    assert models.requests == []
