"""What agents submit at the same moment: judged one after the other, and recorded together (C4, C5)."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from teamwright.engine.run.judging import NotAccepted, judge_answer
from teamwright.engine.run.reduce import reduce
from teamwright.engine.run.state import Run, RunState, Winner
from teamwright.protocol.decisions import BudgetSpent
from teamwright.protocol.events import AgentStopped, AnswerSubmitted, BudgetReached, DurableEvent, VoteCast
from teamwright.protocol.ids import AgentId, AnswerId, RunId
from teamwright.protocol.records import EventRecord, Scope
from teamwright.protocol.usage import Usage
from teamwright.runtime.runs.run_log import RunLog
from teamwright.tools.workflow import NotTaken, Taken
from tests.engine.story import RUN, Story
from tests.runtime.watched_journal import SESSION, WatchedJournal


class Table:
    """A run of three agents at work, with its log watched."""

    def __init__(self, watched: WatchedJournal, budget: BudgetReached | None = None, **rules: Any) -> None:
        self._journal = watched.journal
        self.story = Story(**rules).starts("a", "b", "c")
        self._runs: dict[RunId, Run] = {RUN: self.story.state}
        self.log = RunLog(watched.journal, Scope(run_id=RUN), RUN, runs=self._runs, session_budget=lambda: budget)
        self.log.run = self.story.state
        watched.journal.fold_into(self._fold)

    def _fold(self, record: EventRecord) -> None:
        self.story.run = reduce(self.story.run, record)
        self._runs[RUN] = self.story.state
        self.log.fold(record)

    def take_up(self) -> None:
        """What the story has told since."""
        self.log.run = self._runs[RUN] = self.story.state

    async def answer(self, agent: str, content: str) -> Taken | NotTaken:
        def judge(state: RunState) -> tuple[Sequence[DurableEvent], Taken | NotTaken]:
            verdict = judge_answer(state, AgentId(agent), content)
            if isinstance(verdict, NotAccepted):
                return (), NotTaken(verdict.reason)
            answer = AnswerSubmitted(answer_id=AnswerId(f"ans_{agent}"), label=verdict.label, content=content)
            stopped = AgentStopped(attempt=1, reason="answered", usage=Usage())
            return (answer, stopped), Taken(verdict.label)

        return await self.log.submit(judge, AgentId(agent))

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
async def test_answers_that_come_together_take_one_trip_to_the_disk(watched: WatchedJournal) -> None:
    table = Table(watched)
    async with table.answered_at_once(a="a", b="b", c="c") as given:
        pass
    assert [await each for each in given] == [Taken("agent1.1"), Taken("agent2.1"), Taken("agent3.1")]
    assert table.contents == ["a", "b", "c"]
    assert watched.writes == 1
    page = await watched.store.read_after(SESSION, 1)
    types = [record.event.type for record in page.records]
    assert types == ["answer.submitted", "agent.stopped"] * 3 + ["agent.started"] * 3, "what follows goes along"


@pytest.mark.asyncio
async def test_each_is_judged_as_if_those_before_it_were_facts_already(watched: WatchedJournal) -> None:
    table = Table(watched, max_new_answers_global=2)
    async with table.answered_at_once(a="a", b="b", c="c") as given:
        pass
    assert [type(await each) for each in given] == [Taken, Taken, NotTaken]
    assert table.contents == ["a", "b"]


@pytest.mark.asyncio
async def test_whoever_is_cancelled_while_it_waits_has_submitted_nothing(watched: WatchedJournal) -> None:
    table = Table(watched)
    async with table.answered_at_once(a="a", b="b", c="c") as given:
        given[0].cancel()
        await anyio.wait_all_tasks_blocked()
    assert await asyncio.gather(*given[1:]) == [Taken("agent2.1"), Taken("agent3.1")]
    assert table.contents == ["b", "c"]


@pytest.mark.asyncio
async def test_an_answer_that_cannot_be_written_takes_no_other_with_it(watched: WatchedJournal) -> None:
    table = Table(watched)
    async with watched.journal.undisturbed():
        given = [
            asyncio.create_task(table.answer(agent, text)) for agent, text in (("a", "a"), ("b", "\ud800"), ("c", "c"))
        ]
        await anyio.wait_all_tasks_blocked()
    first, broken, last = await asyncio.gather(*given, return_exceptions=True)
    assert isinstance(broken, ValueError)
    assert (first, last) == (Taken("agent1.1"), Taken("agent3.1"))
    assert table.contents == ["a", "c"]


@pytest.mark.asyncio
async def test_the_winner_and_its_presentation_begin_with_the_vote_that_decides(watched: WatchedJournal) -> None:
    table = Table(watched)
    for agent in "abc":
        table.story.answers(agent)
    table.story.starts("a", "b", "c").votes("a", "b").votes("b", "b")

    def judge(state: RunState) -> tuple[Sequence[DurableEvent], Taken]:
        assert state.winner is None
        stopped = AgentStopped(attempt=2, reason="voted", usage=Usage())
        return (VoteCast(target=AgentId("a"), reason="mine"), stopped), Taken("cast")

    table.take_up()
    await table.log.submit(judge, AgentId("c"))

    page = await watched.store.read_after(SESSION, 1)
    assert [record.event.type for record in page.records] == [
        "vote.cast",
        "agent.stopped",
        "winner.selected",
        "agent.started",
    ]
    assert watched.writes == 1
    assert table.story.state.winner == Winner(AgentId("b"), {AgentId("a"): 1, AgentId("b"): 2}, "votes")


@pytest.mark.asyncio
async def test_what_a_call_has_cost_is_counted_before_its_agent_is_free_for_another(watched: WatchedJournal) -> None:
    table = Table(watched, BudgetReached(spent=BudgetSpent(usd=0, tokens=30, seconds=1, usage=Usage())))
    await table.answer("a", "mine")
    page = await watched.store.read_after(SESSION, 1)
    assert [record.event.type for record in page.records] == ["answer.submitted", "agent.stopped", "budget.reached"]
    assert watched.writes == 1
