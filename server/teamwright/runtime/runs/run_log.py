"""What the log says of one run, and the one way in which facts about it get there."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import anyio

from teamwright.engine.run.budget import Metered, overspending, uncounted
from teamwright.engine.run.commands import Command, Deliberate, Present, Wanted, Work
from teamwright.engine.run.decide import decide
from teamwright.engine.run.following import FollowingFact, facts_that_follow
from teamwright.engine.run.reduce import fold
from teamwright.engine.run.state import Run, RunState
from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.protocol.events import BudgetReached, DurableEvent
from teamwright.protocol.ids import AgentId, RunId
from teamwright.protocol.records import EventRecord, Scope
from teamwright.runtime.identity import now
from teamwright.runtime.journal import Fact, Journal
from teamwright.runtime.shielding import shielded

T = TypeVar("T")
# Asked with the state as it stands when its turn has come; the facts, of the agent that is named with it, and a word.
JudgeSubmission = Callable[[RunState], tuple[Sequence[DurableEvent], T]]


class RunLog:
    """Everybody who acts on the run looks here, at the moment they act.

    What follows from a fact by itself goes to the disk with it: whoever waits for the fact never waits for that.
    """

    def __init__(
        self,
        journal: Journal,
        scope: Scope,
        run_id: RunId,
        *,
        runs: Mapping[RunId, Run],
        session_budget: Callable[[], BudgetReached | None],
    ) -> None:
        """`runs` are those of the session, each folded once for all; they hear of a record before this does."""
        self.journal = journal
        self.scope = scope
        self.run_id = run_id
        self.run: Run | None = runs.get(run_id)
        self._runs = runs
        self._session_budget = session_budget
        self._at_work: dict[AgentId, Metered] = {}
        self._bell = anyio.Event()
        self._decided_for: Run | None = None
        self._wanted: Wanted = ()

    def fold(self, _record: EventRecord) -> bool:
        """Whether the record says anything about the run."""
        advanced = self._runs.get(self.run_id)
        if advanced is self.run:
            return False
        self.run = advanced
        self.ring()
        return True

    def look_again(self) -> None:
        """For a run that is over, and no longer hears of every record."""
        self.run = self._runs.get(self.run_id)

    # What it says

    @property
    def state(self) -> RunState:
        """Of a run that has started; for whoever works on it."""
        if not isinstance(self.run, RunState):
            raise TypeError(f"the run {self.run_id} has not started")
        return self.run

    @property
    def wanted(self) -> Wanted:
        """Of the present state; decided once for each."""
        if self.run is not None and self._decided_for is not self.run:
            self._wanted = decide(self.run)
            self._decided_for = self.run
        return self._wanted

    def work_of(self, agent_id: AgentId) -> Work | None:
        """What the run wants of the agent at this moment; None where it wants it to stop, or to wait."""
        works = (command for command in self.wanted if isinstance(command, Deliberate | Present))
        return next((work for work in works if work.agent_id == agent_id), None)

    def ring(self) -> None:
        """For all who wait for the next fact."""
        self._bell.set()
        self._bell = anyio.Event()

    async def next_fact(self) -> None:
        await self._bell.wait()

    # What is spent and no fact yet

    def meter(self, agent_id: AgentId, attempt: int, spending: Spending = NOTHING_SPENT) -> None:
        """What the attempt has used so far."""
        self._at_work[agent_id] = Metered(attempt, spending)

    @property
    def spending(self) -> Mapping[AgentId, Spending]:
        """Of the attempts that have not stopped yet."""
        return uncounted(self.run, self._at_work) if isinstance(self.run, RunState) else {}

    # What gets there

    async def start(self, *events: DurableEvent | FollowingFact) -> None:
        """The facts with which it starts, those of agents with whose they are; with them its agents begin."""

        def judge(_ahead: Sequence[EventRecord]) -> tuple[list[Fact], None]:
            facts = [
                self._placed((event,))[0] if isinstance(event, FollowingFact) else Fact(event, self.scope)
                for event in events
            ]
            started = fold([self.journal.enveloped(fact.event, fact.scope) for fact in facts], self.run)
            following = facts_that_follow(started, now()) if isinstance(started, RunState) else ()
            return [*facts, *self._placed(following)], None

        await shielded(self.journal.judge_and_append(judge))

    async def append(self, *events: DurableEvent, agent_id: AgentId | None = None) -> None:
        """All of them or none. Whoever is cancelled while it waits has them written all the same."""
        await shielded(self._judged(lambda _state: (events, None), agent_id))

    async def append_if_wanted(self, command: Command, *events: DurableEvent, agent_id: AgentId | None = None) -> bool:
        """What follows from a state is a fact only if the state still wants it when its turn comes."""

        def judge(state: RunState) -> tuple[Sequence[DurableEvent], bool]:
            is_wanted = command in (self.wanted if state is self.run else decide(state))
            return (events, True) if is_wanted else ((), False)

        return await self._judged(judge, agent_id)

    async def submit(self, judge: JudgeSubmission[T], agent_id: AgentId) -> T:
        """What an agent brings, judged one after the other so that no two can contradict, and counted at once: whoever
        has submitted is free for more work."""
        return await self._judged(judge, agent_id, counts=True)

    async def say(self, judge: JudgeSubmission[T]) -> T:
        """What a person has to say to the run, by what it is at that moment."""
        return await self._judged(judge, None)

    async def follow(self) -> bool:
        """Records what follows from facts that others have written; whether there was any."""
        return bool(facts_that_follow(self.state, now())) and await self._judged(lambda _state: ((), True), None)

    async def count_spending(self) -> None:
        """Records that a budget is reached, if one is."""
        if self._overspending(self.state) is not None:
            await self._judged(lambda _state: ((), None), None, counts=True)

    async def _judged(self, judge: JudgeSubmission[T], agent_id: AgentId | None, *, counts: bool = False) -> T:
        scope = self.scope if agent_id is None else self.scope.of_agent(agent_id)

        def with_what_follows(ahead: Sequence[EventRecord]) -> tuple[list[Fact], T]:
            state = self._after(self.state, ahead)
            events, word = judge(state)
            facts = [Fact(event, scope) for event in events]
            state = self._after(state, [self.journal.enveloped(event, scope) for event in events])
            if counts and (reached := self._overspending(state)) is not None:
                facts.append(Fact(reached, self.scope))
                state = self._after(state, [self.journal.enveloped(reached, self.scope)])
            return [*facts, *self._placed(facts_that_follow(state, now()))], word

        return await self.journal.judge_and_append(with_what_follows)

    def _placed(self, following: Sequence[FollowingFact]) -> list[Fact]:
        return [Fact(each.event, self.scope.of_agent(each.agent_id)) for each in following]

    def _overspending(self, state: RunState) -> BudgetReached | None:
        return overspending(state, now(), self._at_work, self._session_budget())

    def _after(self, state: RunState, records: Sequence[EventRecord]) -> RunState:
        """As it will be."""
        after = fold(records, state) if records else state
        return after if isinstance(after, RunState) else state
