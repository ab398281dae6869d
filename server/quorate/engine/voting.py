"""Who may evaluate, which votes count, and who wins."""

from collections import Counter
from collections.abc import Mapping

from quorate.engine.limits import global_cap_met, may_answer_again
from quorate.engine.state import Agent, Ballot, RunState
from quorate.protocol.ids import AgentId


def counts(state: RunState, ballot: Ballot) -> bool:
    """A vote stands while its voter has cast no other, and had seen all that there is to see."""
    voter = state.agents[ballot.voter]
    target = state.agents.get(ballot.target)
    return (
        voter.ballot is not None
        and voter.ballot.number == ballot.number
        and target is not None
        and target.latest is not None
        and ballot.seen.answers >= len(state.answers)
        and ballot.seen.messages >= voter.addressed
    )


def standing_vote(state: RunState, agent: Agent) -> Ballot | None:
    ballot = agent.ballot
    return ballot if ballot is not None and counts(state, ballot) else None


def tally(state: RunState) -> Mapping[AgentId, int]:
    """In the order of the run's agents, those without a vote left out."""
    votes = Counter(
        ballot.target for agent in state.agents.values() if (ballot := standing_vote(state, agent)) is not None
    )
    return {agent_id: votes[agent_id] for agent_id in state.agents if votes[agent_id]}


def candidates(state: RunState) -> tuple[Agent, ...]:
    return tuple(agent for agent in state.agents.values() if agent.latest is not None)


def leader(state: RunState, votes: Mapping[AgentId, int]) -> AgentId | None:
    """Most votes; among equals the first of the run's agents; without any vote, the agent of the newest answer."""
    if votes:
        return max(votes, key=lambda agent_id: votes[agent_id])
    return state.answers[-1].agent_id if state.answers else None


def voting_is_on(state: RunState) -> bool:
    """Once everybody has answered, or the wait for the slow is over; of two live agents, that makes two answers."""
    if state.is_direct or state.spec.coordination_overrides.skip_voting:
        return False
    is_waiting = not state.grace_elapsed and any(is_awaited(state, agent) for agent in state.agents.values())
    return not is_waiting and not _vote_is_pointless(state)


def has_grace(state: RunState) -> bool:
    """Whether agents with an answer stop waiting for the others after a while."""
    return state.spec.refinement and not state.spec.coordination_overrides.defer_voting_until_all_answered


def is_awaited(state: RunState, agent: Agent) -> bool:
    return agent.standing == "live" and agent.latest is None and not global_cap_met(state)


def _vote_is_pointless(state: RunState) -> bool:
    """With one answer to choose, and no other to come, the choice is made: no model needs to be asked."""
    return len(candidates(state)) < 2 and not any(
        agent.standing == "live" and may_answer_again(state, agent) for agent in state.agents.values()
    )
