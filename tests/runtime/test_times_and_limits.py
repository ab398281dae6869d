"""What a run may take: checked before it starts, and kept while it goes."""

from typing import Any

import pytest

from teamwright.protocol.errors import BadParams
from tests.runtime.conftest import Hire
from tests.runtime.lines import TEAM, each_answers_once, gives, votes
from tests.support.model_server import ModelServer, calls, never_answers, text, tool


@pytest.mark.asyncio
async def test_contradictions_are_refused_before_anything_starts(hire: Hire, models: ModelServer) -> None:
    crew = await hire()
    with pytest.raises(BadParams) as refused:
        await crew.launch(
            agents=["alpha", "betta"],
            refinement=False,
            contextPaths=[{"path": "src"}],
            coordinationOverrides={"maxNewAnswersPerAgent": 2},
        )
    assert [(error.path, error.message.split(";")[0]) for error in refused.value.errors] == [
        ("agents", "there is no agent 'betta'"),
        ("coordinationOverrides.maxNewAnswersPerAgent", "without refinement each agent answers once"),
    ]
    with pytest.raises(BadParams, match="'src' does not exist"):
        await crew.launch(contextPaths=[{"path": "src"}])
    assert crew.log(None, "run.started") == []
    assert models.requests == []


@pytest.mark.asyncio
async def test_a_run_past_its_time_hands_over_the_best_answer_so_far(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(gives("The only answer."))
    models.model("beta").always(never_answers())
    models.model("gamma").always(never_answers())
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"orchestratorTimeoutSeconds": 2})
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]) == (
        "timed_out",
        {"text": "The only answer.", "agentId": "alpha", "strategy": "best_answer"},
    )
    assert "stopped after 2 seconds" in finished["error"]
    stopped = {record["agentId"]: record["event"]["reason"] for record in crew.log(run, "agent.stopped")}
    assert stopped == {"alpha": "answered", "beta": "timeout", "gamma": "timeout"}
    for name in ("beta", "gamma"):
        await models.requests_to(name)[0].disconnected()


@pytest.mark.asyncio
async def test_a_round_past_its_time_is_wrapped_up_then_closed_to_tools_then_over(
    hire: Hire, models: ModelServer
) -> None:
    """The gates hold alpha's answers back until each step has been a fact; the steps themselves are timed."""
    soft, hard = models.gate("soft"), models.gate("hard")
    models.model("alpha").replies(
        calls(tool("list_files")).waits_for(soft),
        calls(tool("list_files")).waits_for(hard),
        never_answers(),
    )
    for name in ("beta", "gamma"):
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent2"))
    models.model("beta").replies(text("Done."))
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"initialRoundTimeoutSeconds": 0.1, "roundTimeoutGraceSeconds": 1})

    def elapsed(timer: str) -> Any:
        return crew.event("timer.elapsed", lambda r: r["event"]["timer"] == timer and r["agentId"] == "alpha")

    await elapsed("round_wrap_up")
    soft.release()
    await elapsed("round_tools_closed")
    hard.release()
    finished = await crew.finished(run)

    assert finished["result"]["agentId"] == "beta"
    first, warned, last = models.requests_to("alpha")
    assert "Your time for this round is nearly over" in warned.tool_results[-1].text
    assert warned.tool_names == first.tool_names
    assert last.tool_names == ["new_answer"]
    stopped = {record["agentId"]: record["event"]["reason"] for record in crew.log(run, "agent.stopped")}
    assert stopped["alpha"] == "timeout"
    assert crew.view(run)["agents"][0]["note"] == "ran out of time"


@pytest.mark.asyncio
async def test_no_timer_outlives_what_it_is_for(hire: Hire, models: ModelServer) -> None:
    """Every agent is faster than its round; the rounds' timers are as short as the whole run is long."""
    together = models.gate("all at work")
    each_answers_once(models, gate=together)
    crew = await hire()
    run = await crew.launch(
        coordinationOverrides={
            "initialRoundTimeoutSeconds": 30,
            "subsequentRoundTimeoutSeconds": 30,
            "override": "ask",
        }
    )
    await together.reached(3)
    assert crew.timers() == 4, "the run's timer and one for each agent"
    together.release()
    await crew.question("override")
    assert crew.timers() == 0, "a timer runs while a person is waited for"
    await crew.override(run, None)
    await crew.finished(run)
    assert crew.log(run, "timer.elapsed") == []


@pytest.mark.asyncio
async def test_the_configured_limits_hold_where_a_run_says_nothing(hire: Hire, models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent1"))
    crew = await hire(
        extra="orchestrator: {max_new_answers_per_agent: 1, final_answer_strategy: winner_reuse}\n"
        "timeout_settings: {orchestrator_timeout_seconds: 77}\n"
    )
    run = await crew.launch()
    finished = await crew.finished(run)
    rules = crew.log(run, "run.started")[0]["event"]["spec"]["coordinationOverrides"]
    assert (rules["maxNewAnswersPerAgent"], rules["orchestratorTimeoutSeconds"]) == (1, 77)
    assert finished["result"]["strategy"] == "winner_reuse"
    assert len(models.requests) == 6
