"""The tools that an agent has besides those of the workflow."""

from collections.abc import Sequence

from quorate.permissions.rules import Role
from quorate.protocol.ids import AgentId
from quorate.tools.port import AnyTool


def run_tools(agent_id: AgentId, role: Role) -> Sequence[AnyTool]:
    del agent_id, role
    return ()
