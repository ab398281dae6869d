"""What agents submit: judged one after the other, so that no two can contradict, and recorded together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from quorate.engine.commands import SelectWinner
from quorate.engine.decide import decide
from quorate.engine.reduce import fold
from quorate.engine.state import RunState
from quorate.protocol.events import BudgetReached, DurableEvent, WinnerSelected
from quorate.runtime.journal import Append, Entry, Journal, Scope
from quorate.tools.workflow.floor import NotTaken, Taken


@dataclass(frozen=True, slots=True)
class Accepted:
    """The facts that a submission makes, and the word for the agent."""

    facts: tuple[DurableEvent, ...]
    taken: Taken


# Asked with the state as it stands when the submission's turn has come.
Judge = Callable[[RunState], Accepted | NotTaken]


@dataclass(slots=True, eq=False)
class _Submission:
    judge: Judge
    scope: Scope
    verdict: Taken | NotTaken | None = None


class Submissions:
    """Agents that are equally fast submit at the same moment: they take one trip to the disk, not one each."""

    def __init__(
        self,
        journal: Journal,
        scope: Scope,
        state: Callable[[], RunState],
        reached_budget: Callable[[RunState], BudgetReached | None],
    ) -> None:
        """`scope` is the run's."""
        self._journal = journal
        self._scope = scope
        self._state = state
        self._reached_budget = reached_budget
        self._waiting: list[_Submission] = []

    async def submit(self, judge: Judge, scope: Scope) -> Taken | NotTaken:
        own = _Submission(judge, scope)
        self._waiting.append(own)
        try:
            async with self._journal.undisturbed() as append:
                if own.verdict is None:
                    await self._record_all(own, append)
        finally:
            # Whoever is cancelled while it waits has submitted nothing.
            if own in self._waiting:
                self._waiting.remove(own)
        return cast("Taken | NotTaken", own.verdict)

    async def _record_all(self, own: _Submission, append: Append) -> None:
        """Whatever waits comes along, in the order in which it came."""
        waiting = tuple(self._waiting)
        try:
            await self._record(waiting, append)
        except ValueError:
            # Something in it cannot be written. What is one's fault is not the others'.
            if waiting == (own,):
                raise
            await self._record((own,), append)

    async def _record(self, batch: Sequence[_Submission], append: Append) -> None:
        state, entries, verdicts = self._state(), list[Entry](), list[tuple[_Submission, Taken | NotTaken]]()
        for each in batch:
            match each.judge(state):
                case NotTaken() as verdict:
                    verdicts.append((each, verdict))
                case Accepted(facts, verdict):
                    verdicts.append((each, verdict))
                    entries.append(Entry(facts, each.scope))
                    state = self._after(state, entries[-1])
        if entries:
            first, *others = (*entries, *self._what_follows(state))
            # Where the disk fails it has failed for this one; the others try it themselves when their turn comes.
            await append(first.events[0], first.scope, *first.events[1:], behind=others)
        for each, verdict in verdicts:
            each.verdict = verdict
            self._waiting.remove(each)

    def _what_follows(self, state: RunState) -> Iterator[Entry]:
        """At once, and not behind another trip to the disk.

        Whoever has submitted is free for more work: what its last call has cost must have been counted by then.
        """
        if (reached := self._reached_budget(state)) is not None:
            budget = Entry((reached,), self._scope)
            yield budget
            state = self._after(state, budget)
        match decide(state):
            case (SelectWinner() as command, *_):
                yield Entry((winner_fact(command),), self._scope.of_agent(command.agent_id))
            case _:
                pass

    def _after(self, state: RunState, entry: Entry) -> RunState:
        """As it will be."""
        records = (self._journal.enveloped(event, entry.scope) for event in entry.events)
        return cast("RunState", fold(records, state))


def winner_fact(command: SelectWinner) -> WinnerSelected:
    return WinnerSelected(agent_id=command.agent_id, tally=dict(command.tally), by=command.by)
