"""A person's word into a run under way."""

import threading

import pytest

from teamwright.protocol.errors import Conflict
from tests.runtime.conftest import Hire
from tests.runtime.lines import TEAM, added, gives, repeats, votes
from tests.support.model_server import ModelServer, calls, text, tool


@pytest.mark.asyncio
async def test_a_word_reaches_agents_at_work_at_their_next_step_and_voids_votes_cast_without_it(
    hire: Hire, models: ModelServer
) -> None:
    looking = models.gate("gamma looks around")
    for name in ("alpha", "beta"):
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent1"), votes("agent2"))
    models.model("gamma").replies(
        gives("The answer of gamma."), calls(tool("list_files")).waits_for(looking), votes("agent2")
    )
    models.model("beta").replies(text("Done."))
    crew = await hire()
    run = await crew.launch()
    await crew.heard("vote.cast", 2)
    await looking.reached()
    assert list(await crew.steer(run, "Mind the budget.")) == list(TEAM)
    await crew.heard("vote.cast", 4)
    looking.release()
    await crew.finished(run)

    assert crew.view(run)["tally"] == {"beta": 3}
    assert [vote["counts"] for vote in crew.view(run)["votes"]] == [False, False, True, True, True]
    for name in ("alpha", "beta"):
        _, voted, again = models.requests_to(name)[:3]
        assert repeats(voted, again)
        assert "Mind the budget." in added(voted, again)
        assert "The answer of" not in added(voted, again)
    assert "Mind the budget." in models.requests_to("gamma")[2].tool_results[-1].text


@pytest.mark.asyncio
async def test_a_word_to_one_agent_is_heard_by_no_other(hire: Hire, models: ModelServer) -> None:
    thinking = models.gate("all think")
    for name in TEAM:
        models.model(name).replies(calls(tool("list_files")).waits_for(thinking), gives(f"By {name}."), votes("agent1"))
    models.model("alpha").replies(text("Done."))
    crew = await hire()
    run = await crew.launch()
    await thinking.reached(3)
    assert list(await crew.steer(run, "A hint for you.", agents=["beta"])) == ["beta"]
    thinking.release()
    await crew.finished(run)
    assert [any("A hint for you." in r.text for r in models.requests_to(name)) for name in TEAM] == [False, True, False]


@pytest.mark.asyncio
async def test_during_the_presentation_a_word_goes_to_the_presenter_who_writes_once_more(
    hire: Hire, models: ModelServer
) -> None:
    presenting = models.gate("beta presents")
    for name in TEAM:
        models.model(name).replies(gives(f"The answer of {name}."), votes("agent2"))
    models.model("beta").replies(text("In prose.").waits_for(presenting), text("In verse."))
    crew = await hire()
    run = await crew.launch()
    await presenting.reached()
    assert list(await crew.steer(run, "In verse, please.")) == ["beta"]
    presenting.release()
    finished = await crew.finished(run)
    assert finished["result"]["text"] == "In verse."
    assert "In verse, please." in added(*models.requests_to("beta")[2:])


@pytest.mark.asyncio
async def test_a_word_that_can_reach_nobody_any_more_is_refused(hire: Hire, models: ModelServer) -> None:
    models.model("alpha").replies(text("Done."))
    crew = await hire()
    run = await crew.launch(agentMode="single")
    await crew.finished(run)
    with pytest.raises(Conflict, match="is over"):
        await crew.steer(run, "One more thing.")
    assert crew.log(run, "message.shared") == []


@pytest.mark.asyncio
async def test_a_word_spoken_while_a_run_is_being_set_up_is_not_lost(
    hire: Hire, models: ModelServer, setting_up: threading.Event
) -> None:
    models.model("alpha").replies(text("Done."))
    crew = await hire()
    run = await crew.launch(agentMode="single")
    assert list(await crew.steer(run, "Be brief.")) == ["alpha"]
    setting_up.set()
    await crew.finished(run)
    assert "Be brief." in models.requests[0].text
