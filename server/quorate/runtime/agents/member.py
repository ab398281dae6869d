"""Who an agent is in its run: its model, its instructions, and the tools beside those of the workflow."""

from collections.abc import Callable
from dataclasses import dataclass

from quorate.models.port import Model
from quorate.permissions.rules import Role, Rules
from quorate.protocol.ids import AgentId
from quorate.tools.port import AnyTool

# The file tools and their like, for the part that the agent plays at the moment.
Toolkit = Callable[[Role], tuple[AnyTool, ...]]


@dataclass(frozen=True, slots=True)
class Member:
    agent_id: AgentId
    model: Model
    system: str
    first_message: str
    rules: Callable[[Role], Rules]
    toolkit: Toolkit
    # Model calls of one attempt.
    most_steps: int
