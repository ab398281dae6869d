"""Many at once: runs in several sessions, and teams of fifty."""

import asyncio
from collections import Counter

import pytest

from tests.runtime.conftest import Hire
from tests.runtime.lines import gives, votes
from tests.support.model_server import Answer, ModelServer, Request, text
from tests.support.patience import PATIENCE_SECONDS


@pytest.mark.asyncio
async def test_runs_of_two_sessions_go_side_by_side_and_each_keeps_its_own_log(hire: Hire, models: ModelServer) -> None:
    together = models.gate("both at work")
    models.model("alpha").always(lambda request: text(f"About {request.messages[-1][1][-3:]}.").waits_for(together))
    crew = await hire()
    runs = [await crew.launch(task, agentMode="single") for task in ("one", "two")]
    await together.reached(2)
    together.release()
    results = [(await crew.finished(run))["result"]["text"] for run in runs]
    assert results == ["About one.", "About two."]
    sessions = {record["runId"]: record["sessionId"] for record in crew.log(None, "run.started")}
    assert len(set(sessions.values())) == 2
    assert all(sessions[record["runId"]] == record["sessionId"] for record in crew.events if "runId" in record)


@pytest.mark.asyncio
async def test_runs_of_one_session_share_one_log_without_mixing_anything_up(hire: Hire, models: ModelServer) -> None:
    together = models.gate("both at work")
    models.model("alpha").always(lambda request: text(f"About {request.messages[-1][1][-3:]}.").waits_for(together))
    crew = await hire()
    first = await crew.launch("one", agentMode="single")
    session = crew.log(first)[0]["sessionId"]
    second = await crew.launch("two", agentMode="single", sessionId=session)
    await together.reached(2)
    together.release()
    assert [(await crew.finished(run))["result"]["text"] for run in (first, second)] == ["About one.", "About two."]
    assert {record["sessionId"] for record in crew.events} == {session}


@pytest.mark.asyncio
async def test_fifty_agents_are_all_at_work_at_once_and_take_a_hundred_and_one_calls(
    hire: Hire, models: ModelServer
) -> None:
    names = [f"m{number}" for number in range(1, 51)]
    together = models.gate("all at work")

    def by_the_book(request: Request) -> Answer:
        if "vote" in request.tool_names:
            return votes("agent7")
        if "new_answer" in request.tool_names:
            return gives(f"The answer of {request.model}.").waits_for(together)
        return text("The end.")

    for name in names:
        models.model(name).always(by_the_book)
    crew = await hire(*names)
    run = await crew.launch()
    await together.reached(50)
    together.release()
    async with asyncio.timeout(PATIENCE_SECONDS):
        finished = await crew.finished(run)
    assert (finished["outcome"], finished["result"]["agentId"]) == ("completed", "m7")
    asked = Counter(request.model for request in models.requests)
    assert asked == Counter(names * 2 + ["m7"])
    assert crew.view(run)["tally"] == {"m7": 50}
