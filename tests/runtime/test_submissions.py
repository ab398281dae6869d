"""What agents submit at the same moment: judged one after the other, and recorded together (C4, C5)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from quorate.engine.judging import NotAccepted, judge_answer
from quorate.engine.reduce import reduce
from quorate.engine.state import RunState, Winner
from quorate.protocol.decisions import BudgetSpent
from quorate.protocol.events import AgentStopped, AnswerSubmitted, BudgetReached, VoteCast
from quorate.protocol.ids import AgentId, AnswerId
from quorate.protocol.records import EventRecord
from quorate.protocol.usage import Usage
from quorate.runtime.journal import Scope
from quorate.runtime.runs.submissions import Accepted, Submissions
from quorate.tools.workflow.floor import NotTaken, Taken
from tests.engine.story import RUN, Story
from tests.runtime.journal_desk import SESSION, Desk


class Table:
    """A run of three agents at work, at the desk of its log."""

    def __init__(self, desk: Desk, budget: BudgetReached | None = None, **rules: Any) -> None:
        self._journal = desk.journal
        self.story = Story(**rules).starts("a", "b", "c")
        self.submissions = Submissions(desk.journal, Scope(run_id=RUN), lambda: self.story.state, lambda _state: budget)
        desk.journal.fold_into(self._fold)

    def _fold(self, record: EventRecord) -> None:
        self.story.run = reduce(self.story.run, record)

    async def answer(self, agent: str, content: str) -> Taken | NotTaken:
        def judge(state: RunState) -> Accepted | NotTaken:
            verdict = judge_answer(state, AgentId(agent), content)
            if isinstance(verdict, NotAccepted):
                return NotTaken(verdict.reason)
            answer = AnswerSubmitted(answer_id=AnswerId(f"ans_{agent}"), label=verdict.label, content=content)
            stopped = AgentStopped(attempt=1, reason="answered", usage=Usage())
            return Accepted((answer, stopped), Taken(verdict.label))

        return await self.submissions.submit(judge, Scope(run_id=RUN, agent_id=AgentId(agent)))

    @asynccontextmanager
    async def answered_at_once(self, **contents: str) -> AsyncGenerator[list[asyncio.Task[Taken | NotTaken]]]:
        """All of them wait for their turn until the block is left."""
        async with self._journal.undisturbed():
            given = [asyncio.create_task(self.answer(agent, content)) for agent, content in contents.items()]
            await anyio.wait_all_tasks_blocked()
            yield given

    @property
    def contents(self) -> list[str]:
        return [answer.content for answer in self.story.state.answers]


@pytest.mark.asyncio
async def test_answers_that_come_together_take_one_trip_to_the_disk(desk: Desk) -> None:
    table = Table(desk)
    async with table.answered_at_once(a="a", b="b", c="c") as given:
        pass
    assert [await each for each in given] == [Taken("agent1.1"), Taken("agent2.1"), Taken("agent3.1")]
    assert table.contents == ["a", "b", "c"]
    assert desk.writes == 1
    page = await desk.store.read_after(SESSION, 1)
    assert [record.event.type for record in page.records] == ["answer.submitted", "agent.stopped"] * 3


@pytest.mark.asyncio
async def test_each_is_judged_as_if_those_before_it_were_facts_already(desk: Desk) -> None:
    table = Table(desk, max_new_answers_global=2)
    async with table.answered_at_once(a="a", b="b", c="c") as given:
        pass
    assert [type(await each) for each in given] == [Taken, Taken, NotTaken]
    assert table.contents == ["a", "b"]


@pytest.mark.asyncio
async def test_whoever_is_cancelled_while_it_waits_has_submitted_nothing(desk: Desk) -> None:
    table = Table(desk)
    async with table.answered_at_once(a="a", b="b", c="c") as given:
        given[0].cancel()
        await anyio.wait_all_tasks_blocked()
    assert await asyncio.gather(*given[1:]) == [Taken("agent2.1"), Taken("agent3.1")]
    assert table.contents == ["b", "c"]


@pytest.mark.asyncio
async def test_an_answer_that_cannot_be_written_takes_no_other_with_it(desk: Desk) -> None:
    table = Table(desk)
    async with desk.journal.undisturbed():
        given = [
            asyncio.create_task(table.answer(agent, text)) for agent, text in (("a", "a"), ("b", "\ud800"), ("c", "c"))
        ]
        await anyio.wait_all_tasks_blocked()
    first, broken, last = await asyncio.gather(*given, return_exceptions=True)
    assert isinstance(broken, ValueError)
    assert (first, last) == (Taken("agent1.1"), Taken("agent3.1"))
    assert table.contents == ["a", "c"]


@pytest.mark.asyncio
async def test_the_winner_is_a_fact_with_the_vote_that_decides(desk: Desk) -> None:
    table = Table(desk)
    for agent in "abc":
        table.story.answers(agent)
    table.story.starts("a", "b", "c").votes("a", "b").votes("b", "b")

    def judge(state: RunState) -> Accepted | NotTaken:
        assert state.winner is None
        stopped = AgentStopped(attempt=2, reason="voted", usage=Usage())
        return Accepted((VoteCast(target=AgentId("a"), reason="mine"), stopped), Taken("cast"))

    await table.submissions.submit(judge, Scope(run_id=RUN, agent_id=AgentId("c")))

    page = await desk.store.read_after(SESSION, 1)
    assert [record.event.type for record in page.records] == ["vote.cast", "agent.stopped", "winner.selected"]
    assert desk.writes == 1
    assert table.story.state.winner == Winner(AgentId("b"), {AgentId("a"): 1, AgentId("b"): 2}, "votes")


@pytest.mark.asyncio
async def test_what_a_call_has_cost_is_counted_before_its_agent_is_free_for_another(desk: Desk) -> None:
    table = Table(desk, BudgetReached(spent=BudgetSpent(usd=0, tokens=30, seconds=1, usage=Usage())))
    await table.answer("a", "mine")
    page = await desk.store.read_after(SESSION, 1)
    assert [record.event.type for record in page.records] == ["answer.submitted", "agent.stopped", "budget.reached"]
    assert desk.writes == 1
