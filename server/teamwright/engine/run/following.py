"""The facts that follow from a state by themselves, without anything being done: whoever writes the fact that leads to
them takes them along, and nobody waits for the disk in between."""

from dataclasses import dataclass
from datetime import datetime

from teamwright.engine.run.commands import Command, Deliberate, Present, SelectWinner
from teamwright.engine.run.decide import decide
from teamwright.engine.run.reduce import reduce
from teamwright.engine.run.state import RunState
from teamwright.protocol.events import AgentStarted, AnswerSubmitted, WinnerSelected
from teamwright.protocol.ids import AgentId
from teamwright.protocol.records import EventRecord


@dataclass(frozen=True, slots=True)
class FollowingFact:
    event: WinnerSelected | AgentStarted | AnswerSubmitted
    agent_id: AgentId


def facts_that_follow(state: RunState, at: datetime) -> tuple[FollowingFact, ...]:
    """All of them, in order, also those that follow from each other: with the last vote the winner, with the winner the
    start of its presentation. Nothing follows twice: a state that has them wants them no more."""
    following: list[FollowingFact] = []
    while new := _next(state):
        following += new
        for fact in new:
            state = _after(state, fact, at)
    return tuple(following)


def _next(state: RunState) -> list[FollowingFact]:
    return [fact for command in decide(state) if (fact := _fact(state, command)) is not None]


def _fact(state: RunState, command: Command) -> FollowingFact | None:
    match command:
        case SelectWinner(agent_id=agent_id, tally=tally, by=by, note=note):
            selected = WinnerSelected(agent_id=agent_id, tally=dict(tally), by=by, note=note)
            return FollowingFact(selected, agent_id)
        case Deliberate() | Present() as work if state.agents[work.agent_id].attempt is None:
            purpose = "present" if isinstance(work, Present) else work.purpose
            started = AgentStarted(attempt=work.attempt, purpose=purpose, seen=work.show)
            return FollowingFact(started, work.agent_id)
        case _:
            return None


def _after(state: RunState, fact: FollowingFact, at: datetime) -> RunState:
    record = EventRecord(
        seq=None, at=at, session_id=None, run_id=state.run_id, agent_id=fact.agent_id, event=fact.event
    )
    after = reduce(state, record)
    return after if isinstance(after, RunState) else state
