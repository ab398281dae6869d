"""What agents submit: judged one after the other, so that no two can contradict, and recorded together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from quorate.engine.commands import SelectWinner
from quorate.engine.decide import decide
from quorate.engine.reduce import fold
from quorate.engine.state import RunState
from quorate.protocol.events import DurableEvent, WinnerSelected
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

    def __init__(self, journal: Journal, state: Callable[[], RunState]) -> None:
        self._journal = journal
        self._state = state
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
                    records = (self._journal.enveloped(fact, each.scope) for fact in facts)
                    state = cast("RunState", fold(records, state))
        if entries:
            first, *others = (*entries, *_what_follows(state, entries[-1].scope))
            # Where the disk fails it has failed for this one; the others try it themselves when their turn comes.
            await append(first.events[0], first.scope, *first.events[1:], behind=others)
        for each, verdict in verdicts:
            each.verdict = verdict
            self._waiting.remove(each)


def _what_follows(state: RunState, scope: Scope) -> tuple[Entry, ...]:
    """With the last vote the winner is known: nobody need wait for the disk once more."""
    match decide(state):
        case (SelectWinner() as command, *_):
            return (Entry((winner_fact(command),), scope.of_agent(command.agent_id)),)
        case _:
            return ()


def winner_fact(command: SelectWinner) -> WinnerSelected:
    return WinnerSelected(agent_id=command.agent_id, tally=dict(command.tally), by=command.by)
