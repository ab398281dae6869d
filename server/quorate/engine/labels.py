"""What agents call each other. They are anonymous: `agent2` is the second of the run's agents, for every reader."""

from quorate.protocol.ids import AgentId
from quorate.protocol.runs import ResolvedRunSpec


def alias(spec: ResolvedRunSpec, agent_id: AgentId) -> str:
    return f"agent{spec.agents.index(agent_id) + 1}"


def agent_called(spec: ResolvedRunSpec, name: str) -> AgentId | None:
    return next((agent_id for agent_id in spec.agents if alias(spec, agent_id) == name), None)


def answer_label(spec: ResolvedRunSpec, agent_id: AgentId, number: int) -> str:
    return f"{alias(spec, agent_id)}.{number}"
