"""What agents submit, before it becomes a fact: accepted, or refused with a reason that the agent is told.

Reasons speak of agents by their aliases, since agents read them.
"""

from dataclasses import dataclass

from teamwright.engine.run.answers import alias, answer_label, is_duplicate, is_same_change, is_too_alike
from teamwright.engine.run.state import Agent, RunState
from teamwright.engine.run.voting import candidates, global_cap_met, is_too_far_ahead, own_cap_met, voting_is_on
from teamwright.protocol.ids import AgentId


@dataclass(frozen=True, slots=True)
class Accepted:
    pass


@dataclass(frozen=True, slots=True)
class AcceptedAnswer:
    label: str


@dataclass(frozen=True, slots=True)
class NotAccepted:
    reason: str


@dataclass(frozen=True, slots=True)
class Brought:
    """What comes with an answer: which bytes, and whose answer its agent had made its own before."""

    change_set_id: str | None = None
    adopted: str | None = None


NO_CHANGE = Brought()


def judge_answer(
    state: RunState, agent_id: AgentId, content: str, brought: Brought = NO_CHANGE
) -> AcceptedAnswer | NotAccepted:
    agent = state.agents[agent_id]
    reason = _takes_part(state, agent) or _over_a_limit(state, agent) or _nothing_new(state, agent, content, brought)
    if reason is not None:
        return NotAccepted(reason)
    return AcceptedAnswer(answer_label(state.spec, agent_id, agent.answers + 1))


def judge_vote(state: RunState, agent_id: AgentId, target: AgentId) -> Accepted | NotAccepted:
    """A vote cast without having seen the newest answers is accepted: it is void, and the agent is asked again."""
    agent = state.agents[agent_id]
    if reason := _takes_part(state, agent):
        return NotAccepted(reason)
    if not voting_is_on(state) or (agent.latest is None and not global_cap_met(state)):
        return NotAccepted("There is nothing to vote on yet; submit your own answer first.")
    votable = [candidate.agent_id for candidate in candidates(state)]
    if target not in votable:
        names = ", ".join(alias(state.spec, each) for each in votable)
        return NotAccepted(f"Only an agent with an answer can be voted for: {names}.")
    return Accepted()


def judge_text(
    state: RunState, agent_id: AgentId, text: str, brought: Brought = NO_CHANGE
) -> AcceptedAnswer | NotAccepted:
    """Text without a tool call: the first answer, but no substitute for a vote."""
    agent = state.agents[agent_id]
    if agent.latest is not None and not state.is_direct:
        return NotAccepted("Text alone does not count here; vote, or submit a better answer, by calling the tool.")
    return judge_answer(state, agent_id, text, brought)


def _takes_part(state: RunState, agent: Agent) -> str | None:
    if state.winner is not None or state.finished is not None:
        return "The vote is over."
    return None if agent.standing == "live" else "You no longer take part in this run."


def _over_a_limit(state: RunState, agent: Agent) -> str | None:
    if state.is_direct:
        return None
    if own_cap_met(state, agent):
        return f"You have given {agent.answers} answers, as many as one agent may; vote for the best one."
    if global_cap_met(state):
        return f"The team has given {len(state.answers)} answers, as many as it may; vote for the best one."
    if is_too_far_ahead(state, agent):
        return "You are too far ahead of the others; vote for the best answer there is."
    return None


def _nothing_new(state: RunState, agent: Agent, content: str, brought: Brought) -> str | None:
    if not content.strip():
        return "The answer is empty."
    if brought.change_set_id is not None and any(
        answer.label == brought.adopted and is_same_change(brought.change_set_id, answer) for answer in state.answers
    ):
        return f"Nothing in your copy differs from {brought.adopted}, which you adopted; vote for it, or improve on it."
    if agent.latest is None or state.is_direct:
        # Equal first answers are agreement.
        return None
    requirement = state.spec.coordination_overrides.answer_novelty_requirement
    for answer in reversed(state.answers):
        if not is_same_change(brought.change_set_id, answer):
            continue
        if is_duplicate(content, answer.content):
            return f"This is the same as {answer.label}; vote for it, or submit something better."
        if is_too_alike(content, answer.content, requirement):
            return f"This differs too little from {answer.label}; vote for the best answer, or improve on it more."
    return None
