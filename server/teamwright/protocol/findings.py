"""The remarks of a review, as one agent makes them and as the team stands behind them."""

from typing import Literal

from teamwright.protocol.base import Maybe, Wire
from teamwright.protocol.ids import AgentId, FindingId
from teamwright.protocol.items import Range

Severity = Literal["error", "warning", "info", "hint"]


class Finding(Wire):
    finding_id: FindingId
    uri: str
    range: Range
    severity: Severity
    title: str
    detail: str
    suggestion: Maybe[str] = None


class AgreedFinding(Finding):
    """Several agents' remarks on the same thing, as one: `agents` of `of` agree."""

    agents: tuple[AgentId, ...]
    of: int
    # Agents that checked it and found it wrong.
    disputed_by: Maybe[tuple[AgentId, ...]] = None
    dismissed: bool = False

    @property
    def agreement(self) -> int:
        """How many voices it has, each that disputes it taking one away."""
        return len(self.agents) - len(self.disputed_by or ())

    @property
    def is_consensus(self) -> bool:
        return 2 * self.agreement > self.of
