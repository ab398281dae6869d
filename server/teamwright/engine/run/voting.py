"""Who may answer and evaluate, which votes count, and who wins."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from teamwright.engine.run.evidence import agent_standing, broken_by, policy_of, rank
from teamwright.engine.run.state import Agent, Ballot, GivenAnswer, RunState
from teamwright.protocol.ids import AgentId


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


@dataclass(frozen=True, slots=True)
class Chosen:
    agent_id: AgentId
    # Whether it is not whom the votes alone had chosen.
    by_checks: bool = False
    note: str | None = None


def choose(state: RunState, votes: Mapping[AgentId, int]) -> Chosen | None:
    """By votes, as far as the checks let them: who stands best wins a tie, and where it is required only those that
    stand best are chosen from."""
    everyone = candidates(state)
    if not everyone:
        return None
    by_votes = _most_votes(state, everyone, votes)[0]
    match policy_of(state):
        case "inform":
            return Chosen(by_votes.agent_id)
        case "prefer":
            chosen = _best(state, _most_votes(state, everyone, votes))[0]
            return Chosen(chosen.agent_id, by_checks=chosen is not by_votes)
        case "require":
            best = _best(state, everyone)
            all_broke = agent_standing(state, best[0]) == "broke"
            chosen = _most_votes(state, _fewest_broken(state, best) if all_broke else best, votes)[0]
            note = _ALL_BROKE.format(chosen.agent_id) if all_broke else None
            return Chosen(chosen.agent_id, by_checks=chosen is not by_votes, note=note)


_ALL_BROKE = "Every answer breaks something that works without it; {}'s breaks the least."


def _most_votes(state: RunState, among: Sequence[Agent], votes: Mapping[AgentId, int]) -> list[Agent]:
    """The first is chosen: in the order of the run's agents or, where nobody has voted at all, the newest answer's."""
    most = max(votes.get(agent.agent_id, 0) for agent in among)
    leading = [agent for agent in among if votes.get(agent.agent_id, 0) == most]
    if votes:
        return leading
    order = {answer.answer_id: number for number, answer in enumerate(state.answers)}
    return sorted(leading, key=lambda agent: -order[_latest(agent).answer_id])


def _latest(agent: Agent) -> GivenAnswer:
    if agent.latest is None:
        raise ValueError(f"{agent.agent_id} has no answer to be chosen for")
    return agent.latest


def _best(state: RunState, among: Sequence[Agent]) -> list[Agent]:
    ranks = [rank(agent_standing(state, agent)) for agent in among]
    return [agent for agent, own in zip(among, ranks, strict=True) if own == max(ranks)]


def _fewest_broken(state: RunState, among: Sequence[Agent]) -> list[Agent]:
    broken = [broken_by(state, _latest(agent)) for agent in among]
    return [agent for agent, count in zip(among, broken, strict=True) if count == min(broken)]


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


MAX_STEPS_PER_ATTEMPT = 50
MISSTEPS_UNTIL_ABSTAINING = 3


def global_cap_met(state: RunState) -> bool:
    cap = state.spec.coordination_overrides.max_new_answers_global
    return cap is not None and len(state.answers) >= cap


def own_cap_met(state: RunState, agent: Agent) -> bool:
    return agent.answers >= state.spec.coordination_overrides.max_new_answers_per_agent


def may_answer_again(state: RunState, agent: Agent) -> bool:
    return not own_cap_met(state, agent) and not global_cap_met(state)


def is_too_far_ahead(state: RunState, agent: Agent) -> bool:
    """Whether one more answer would put the agent further ahead of a live peer than is fair."""
    rules = state.spec.coordination_overrides
    fewest = min((peer.answers for peer in state.agents.values() if peer.standing == "live"), default=agent.answers)
    return rules.fairness_enabled and agent.answers + 1 - fewest > rules.fairness_lead_cap_answers


def has_run_out_of_tries(agent: Agent) -> bool:
    attempt = agent.attempt
    return attempt is not None and max(attempt.plain_texts, attempt.mistakes) >= MISSTEPS_UNTIL_ABSTAINING
