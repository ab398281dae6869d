"""The run's last words: who writes them, whether anybody needs to, and what a person has to say about it."""

import pytest

from teamwright.protocol.errors import BadParams, Conflict
from tests.runtime.conftest import Hire
from tests.runtime.lines import TEAM, each_answers_once, gives, votes
from tests.support.model_server import ModelServer, fails, text


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("strategy", "calls", "result"),
    [
        ("winner_reuse", 6, "The answer of beta."),
        ("winner_present", 7, "The final words of beta."),
        ("synthesize", 7, "The final words of beta."),
    ],
)
async def test_the_final_answer_is_made_as_the_strategy_says(
    strategy: str, calls: int, result: str, hire: Hire, models: ModelServer
) -> None:
    each_answers_once(models)
    crew = await hire()
    finished = await crew.finished(await crew.launch(coordinationOverrides={"finalAnswerStrategy": strategy}))
    assert finished["result"] == {"text": result, "agentId": "beta", "strategy": strategy}
    assert len(models.requests) == calls
    if calls == 7:
        asked = models.requests[-1]
        assert all(f"The answer of {name}." in asked.messages[-1][1] for name in TEAM)
        assert ("Combine the strongest parts" in asked.messages[-1][1]) == (strategy == "synthesize")
        assert not {"new_answer", "vote", "request_input"} & set(asked.tool_names)


@pytest.mark.asyncio
async def test_when_the_presenter_fails_the_next_by_votes_presents(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(gives("One."), votes("agent3"), text("Presented by alpha."))
    models.model("beta").replies(gives("Two."), votes("agent1"))
    models.model("gamma").replies(gives("Three."), votes("agent3"), fails(401))
    crew = await hire()
    run = await crew.launch()
    finished = await crew.finished(run)
    assert finished["result"] == {"text": "Presented by alpha.", "agentId": "alpha", "strategy": "winner_present"}
    assert crew.view(run)["winner"] == "gamma"
    assert [agent["status"] for agent in crew.view(run)["agents"]] == ["voted", "voted", "failed"]


@pytest.mark.asyncio
async def test_when_nobody_can_present_the_winners_answer_is_the_result(hire: Hire, models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent2"), fails(401))
    crew = await hire()
    finished = await crew.finished(await crew.launch())
    assert (finished["outcome"], finished["result"]["text"]) == ("completed", "The answer of beta.")
    assert "No agent could present" in (await crew.event("notice.raised"))["event"]["text"]


@pytest.mark.asyncio
async def test_a_person_chooses_another_presenter_in_the_window_and_only_there(hire: Hire, models: ModelServer) -> None:
    voting = models.gate("the last vote")
    for name in TEAM:
        models.model(name).always(text(f"The final words of {name}."))
    models.model("alpha").replies(gives("One."), votes("agent2"))
    models.model("beta").replies(gives("Two."), votes("agent2").waits_for(voting))
    models.model("gamma").replies(fails(401))
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"override": "ask"})
    await crew.heard("vote.cast", 1)
    with pytest.raises(Conflict, match="only after the vote"):
        await crew.override(run, "alpha")
    voting.release()

    question = await crew.question("override")
    assert [answer["content"] for answer in question["detail"]["answers"]] == ["One.", "Two."]
    assert "expiresAt" not in question
    with pytest.raises(BadParams, match="has no answer to present"):
        await crew.override(run, "gamma")
    await crew.override(run, "alpha")
    finished = await crew.finished(run)

    assert finished["result"] == {
        "text": "The final words of alpha.",
        "agentId": "alpha",
        "strategy": "winner_present",
    }
    chosen = [record["event"] for record in crew.log(run, "winner.selected")]
    assert [(winner["agentId"], winner["by"]) for winner in chosen] == [("beta", "votes"), ("alpha", "override")]
    with pytest.raises(Conflict):
        await crew.override(run, "beta")


@pytest.mark.asyncio
@pytest.mark.parametrize("agent", [None, "beta"])
async def test_letting_the_vote_stand_closes_the_window(agent: str | None, hire: Hire, models: ModelServer) -> None:
    each_answers_once(models)
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"override": "ask"})
    question = await crew.question("override")
    assert len(models.requests) == 6, "somebody presented before the window was closed"
    await crew.override(run, agent)
    assert (await crew.finished(run))["result"]["agentId"] == "beta"
    resolved = (await crew.event("decision.resolved"))["event"]
    assert (resolved["decisionId"], resolved["choice"], resolved["by"]) == (question["decisionId"], "cancel", "user")


@pytest.mark.asyncio
async def test_an_offer_that_nobody_takes_lets_the_vote_stand_in_time(hire: Hire, models: ModelServer) -> None:
    each_answers_once(models)
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"override": "offer", "overrideSeconds": 0.05})
    question = await crew.question("override")
    assert "expiresAt" in question
    assert (await crew.finished(run))["result"]["agentId"] == "beta"
    resolved = (await crew.event("decision.resolved"))["event"]
    assert (resolved["choice"], resolved["by"]) == ("cancel", "timeout")


@pytest.mark.asyncio
async def test_answers_that_say_the_same_leave_nothing_to_offer(hire: Hire, models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(gives("The same."), votes("agent1"))
    models.model("alpha").replies(text("Done."))
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"override": "offer"})
    await crew.finished(run)
    assert crew.log(run, "decision.requested") == []


@pytest.mark.asyncio
async def test_a_run_cancelled_in_the_window_presents_nothing(hire: Hire, models: ModelServer) -> None:
    each_answers_once(models)
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"override": "ask"})
    question = await crew.question("override")
    await crew.cancel(run)
    finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["text"]) == ("cancelled", "The answer of beta.")
    assert len(models.requests) == 6
    with pytest.raises(Conflict):
        await crew.approve(question["decisionId"], "cancel")
