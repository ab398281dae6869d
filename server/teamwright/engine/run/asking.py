"""Questions of agents to each other: how many, and to whom. They void no vote and hold nobody up. Pure."""

from collections.abc import Sequence
from typing import Final

from teamwright.engine.run.answers import agent_called
from teamwright.engine.run.state import RunState
from teamwright.protocol.ids import AgentId

MOST_QUESTIONS: Final = 2


def may_ask(state: RunState) -> bool:
    """Whether there is anybody to ask, and answers are not to be independent."""
    return state.spec.refinement and len(state.spec.agents) > 1


def refusal_of_question(state: RunState, agent_id: AgentId) -> str | None:
    if state.questions.get(agent_id, 0) >= MOST_QUESTIONS:
        return f"You have asked {MOST_QUESTIONS} questions, as many as one agent may; go on with what you know."
    return None


def peers_called(state: RunState, agent_id: AgentId, labels: Sequence[str] | None) -> tuple[AgentId, ...]:
    """Those of them that are still in the run; without names all others."""
    live = [
        agent.agent_id for agent in state.agents.values() if agent.standing == "live" and agent.agent_id != agent_id
    ]
    if labels is None:
        return tuple(live)
    called = {agent_called(state.spec, label) for label in labels}
    return tuple(each for each in live if each in called)
