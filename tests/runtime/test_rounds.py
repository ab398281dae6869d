"""Answers and votes: what reaches whom, which votes stand, and that nothing is said twice."""

from itertools import pairwise

import pytest

from tests.runtime.conftest import Hire
from tests.runtime.lines import TEAM, added, each_answers_once, gives, repeats, votes
from tests.support.model_server import ModelServer, calls, text, tool


@pytest.mark.asyncio
async def test_every_request_repeats_the_messages_before_it_byte_for_byte(hire: Hire, models: ModelServer) -> None:
    each_answers_once(models)
    crew = await hire()
    finished = await crew.finished(await crew.launch())

    assert finished["result"] == {
        "text": "The final words of beta.",
        "agentId": "beta",
        "strategy": "winner_present",
    }
    assert [len(models.requests_to(name)) for name in TEAM] == [2, 3, 2]
    for name in TEAM:
        requests = models.requests_to(name)
        assert all(repeats(earlier, later) for earlier, later in pairwise(requests))


@pytest.mark.asyncio
async def test_a_new_answer_voids_the_votes_and_is_all_that_the_voters_are_then_shown(
    hire: Hire, models: ModelServer
) -> None:
    late = models.gate("gamma has second thoughts")
    for name in ("alpha", "beta"):
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent2"), votes("agent3", "It is better."))
    models.model("gamma").replies(
        gives("The answer of gamma."),
        gives("A better answer.").waits_for(late),
        votes("agent3", "It is mine."),
        text("The final answer."),
    )
    crew = await hire()
    run = await crew.launch()
    await crew.heard("vote.cast", 2)
    late.release()
    await crew.finished(run)

    votes_seen = [(vote["agentId"], vote["target"], vote["counts"]) for vote in crew.view(run)["votes"]]
    assert sorted(votes_seen[:2]) == [("alpha", "beta", False), ("beta", "beta", False)]
    assert sorted(votes_seen[2:]) == [(name, "gamma", True) for name in TEAM]
    assert crew.view(run)["tally"] == {"gamma": 3}
    for name in ("alpha", "beta"):
        _, evaluated, again = models.requests_to(name)
        assert repeats(evaluated, again)
        assert "A better answer." in added(evaluated, again)
        assert "agent3.2" in added(evaluated, again)
        assert "The answer of" not in added(evaluated, again), "what was shown before is shown again"
        assert evaluated.tool_names == again.tool_names


@pytest.mark.asyncio
async def test_an_agent_in_a_tool_loop_gets_the_news_with_its_next_tool_result(hire: Hire, models: ModelServer) -> None:
    listing, late = models.gate("alpha looks around"), models.gate("gamma has second thoughts")
    models.model("alpha").replies(
        gives("The answer of alpha."), calls(tool("list_files")).waits_for(listing), votes("agent3")
    )
    models.model("beta").replies(gives("The answer of beta."), votes("agent2"), votes("agent3"))
    models.model("gamma").replies(
        gives("The answer of gamma."), gives("A better answer.").waits_for(late), votes("agent3"), text("Done.")
    )
    crew = await hire()
    run = await crew.launch()
    await listing.reached()
    await crew.heard("vote.cast", 1)
    late.release()
    await crew.heard("answer.submitted", 4)
    listing.release()
    await crew.finished(run)

    listed = models.requests_to("alpha")[2]
    assert "A better answer." in listed.tool_results[-1].text
    assert listed.messages[-1][0] == "tool", "the news came as a message of its own"
    alpha = [vote for vote in crew.view(run)["votes"] if vote["agentId"] == "alpha"]
    assert [vote["counts"] for vote in alpha] == [True], "a vote cast in knowledge of all answers was not taken"


@pytest.mark.asyncio
async def test_a_vote_cast_without_having_seen_the_newest_answer_is_void_and_asked_for_again(
    hire: Hire, models: ModelServer
) -> None:
    early, late = models.gate("alpha votes"), models.gate("gamma has second thoughts")
    models.model("alpha").replies(gives("One."), votes("agent1").waits_for(early), votes("agent3"))
    models.model("beta").replies(gives("Two."), votes("agent2"), votes("agent3"))
    models.model("gamma").replies(gives("Three."), gives("Four.").waits_for(late), votes("agent3"), text("Done."))
    crew = await hire()
    run = await crew.launch()
    await early.reached()
    late.release()
    await crew.heard("answer.submitted", 4)
    early.release()
    await crew.finished(run)

    alpha = [vote for vote in crew.view(run)["votes"] if vote["agentId"] == "alpha"]
    assert [(vote["target"], vote["counts"]) for vote in alpha] == [("alpha", False), ("gamma", True)]
    _, voted, again = models.requests_to("alpha")
    assert repeats(voted, again)
    assert "Four." in added(voted, again)


@pytest.mark.asyncio
async def test_without_refinement_nobody_sees_an_answer_before_all_are_given_and_each_votes_once(
    hire: Hire, models: ModelServer
) -> None:
    slow = models.gate("gamma thinks")
    for name in ("alpha", "beta"):
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent1"))
    models.model("gamma").replies(gives("The answer of gamma.").waits_for(slow), votes("agent1"))
    models.model("alpha").replies(text("All of it, combined."))
    crew = await hire()
    run = await crew.launch(refinement=False)
    await crew.heard("agent.stopped", 2)
    assert len(models.requests) == 3, "somebody was asked to vote before everybody had answered"
    slow.release()
    finished = await crew.finished(run)

    assert finished["result"]["strategy"] == "synthesize"
    firsts = [models.requests_to(name)[0] for name in TEAM]
    assert all("The answer of" not in first.text for first in firsts)
    seconds = [models.requests_to(name)[1] for name in TEAM]
    assert all({"vote", "new_answer"} & set(second.tool_names) == {"vote"} for second in seconds)
    assert len(models.requests) == 7


@pytest.mark.asyncio
async def test_a_single_agent_refines_until_it_votes_for_itself(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(gives("A draft."), gives("A better draft."), votes("agent1"), text("The end."))
    crew = await hire()
    run = await crew.launch(agentMode="single", refinement=True)
    finished = await crew.finished(run)

    assert (finished["outcome"], finished["result"]["text"]) == ("completed", "The end.")
    assert [answer["label"] for answer in crew.view(run)["answers"]] == ["agent1.1", "agent1.2"]
    assert models.requests_to("alpha")[1].choices("vote", "agent_id") == ["agent1"]
    assert (await crew.event("winner.selected"))["event"]["by"] == "only"


@pytest.mark.asyncio
async def test_who_has_answered_waits_for_the_slow_only_so_long(hire: Hire, models: ModelServer) -> None:
    slow = models.gate("gamma thinks")
    for name in ("alpha", "beta"):
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent1"), votes("agent3"))
    models.model("gamma").replies(gives("Slow, but good.").waits_for(slow), votes("agent3"), text("Done."))
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"firstAnswerGraceSeconds": 0.05})
    await crew.heard("vote.cast", 2)
    slow.release()
    finished = await crew.finished(run)

    assert finished["result"]["agentId"] == "gamma"
    assert crew.log(run, "timer.elapsed")[0]["event"]["timer"] == "first_answer_grace"
    assert models.requests_to("alpha")[1].choices("vote", "agent_id") == ["agent1", "agent2"]
    assert "Slow, but good." not in models.requests_to("alpha")[1].text
    assert "agent2.1" not in models.requests_to("gamma")[0].text


@pytest.mark.asyncio
async def test_at_its_limit_an_agent_can_only_vote_and_equal_first_answers_are_agreement(
    hire: Hire, models: ModelServer
) -> None:
    for name in TEAM:
        models.model(name).replies(gives("The same."), votes("agent1"))
    models.model("alpha").replies(text("Done."))
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"maxNewAnswersPerAgent": 1})
    await crew.finished(run)
    assert crew.view(run)["tally"] == {"alpha": 3}
    assert all("new_answer" not in models.requests_to(name)[1].tool_names for name in TEAM)


@pytest.mark.asyncio
async def test_once_the_team_has_given_all_the_answers_it_may_the_slow_ones_vote(
    hire: Hire, models: ModelServer
) -> None:
    looking = models.gate("gamma looks around")
    for name in ("alpha", "beta"):
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent1"))
    models.model("gamma").replies(calls(tool("list_files")).waits_for(looking), votes("agent2"))
    models.model("alpha").replies(text("Done."))
    crew = await hire()
    run = await crew.launch(coordinationOverrides={"maxNewAnswersGlobal": 2})
    await crew.heard("answer.submitted", 2)
    looking.release()
    await crew.finished(run)

    told = models.requests_to("gamma")[1]
    assert "The answer of alpha." in told.tool_results[-1].text
    assert "`vote` for the best one." in told.tool_results[-1].text
    assert {"new_answer", "vote"} & set(told.tool_names) == {"vote"}
    assert crew.view(run)["tally"] == {"alpha": 2, "beta": 1}
