"""The switches of a session. None where the protocol says null: the assistant decides."""

from typing import Literal

from teamwright.protocol.base import Wire
from teamwright.protocol.ids import AgentId
from teamwright.protocol.runs import AgentMode

Autonomy = Literal["hitl", "autonomous"]
TeamUse = Literal["auto", "always", "never"]


class Modes(Wire):
    plan: bool | None = None
    agent_mode: AgentMode | None = None
    agent_id: AgentId | None = None
    refinement: bool | None = None
    autonomy: Autonomy = "hitl"
    team: TeamUse = "auto"

    def changed_by(self, patch: "Modes") -> "Modes":
        """Only what the patch names explicitly changes; a named null gives the choice back to the assistant."""
        named = {name: getattr(patch, name) for name in patch.model_fields_set & set(Modes.model_fields)}
        return self.model_copy(update=named)
