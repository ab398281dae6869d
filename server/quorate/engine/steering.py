"""What is new for an agent, and whom a person's word can still reach."""

from collections.abc import Sequence
from dataclasses import dataclass

from quorate.engine.deliberation import stage_of
from quorate.engine.ending import cut_of
from quorate.engine.presentation import is_presentation_due, next_presenter
from quorate.engine.state import Agent, GivenAnswer, Message, RunState
from quorate.protocol.events import Seen
from quorate.protocol.ids import AgentId


@dataclass(frozen=True, slots=True)
class News:
    answers: tuple[GivenAnswer, ...]
    messages: tuple[Message, ...]


def news(state: RunState, agent_id: AgentId, show: Seen, seen: Seen) -> News:
    """What lies between what an agent was shown and what it is to be shown, its own answers included."""
    messages = state.messages[seen.messages : show.messages]
    return News(
        answers=state.answers[seen.answers : show.answers],
        messages=tuple(message for message in messages if message.after_vote or agent_id in message.to),
    )


def steerable(state: RunState, agents: Sequence[AgentId] | None = None) -> tuple[AgentId, ...]:
    """The agents, of those meant, that will work on with a person's word: all that deliberate, later the presenter."""
    if state.finished is not None or cut_of(state) is not None:
        return ()
    if state.winner is None:
        reached = [agent.agent_id for agent in state.agents.values() if _will_be_asked(state, agent)]
    else:
        presenter = next_presenter(state) if is_presentation_due(state) else None
        reached = [] if presenter is None else [presenter.agent_id]
    return tuple(agent_id for agent_id in reached if agents is None or agent_id in agents)


def _will_be_asked(state: RunState, agent: Agent) -> bool:
    """An agent that has voted is asked again; without a vote, one that has answered is not."""
    skips_vote = state.spec.coordination_overrides.skip_voting
    return agent.standing == "live" and (not skips_vote or stage_of(state, agent, voting=False) is not None)
