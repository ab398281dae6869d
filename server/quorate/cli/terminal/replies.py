"""What a decision can be answered with."""

from dataclasses import dataclass
from typing import Any

from quorate.protocol.ids import AgentId


@dataclass(frozen=True, slots=True)
class Approve:
    edits: dict[str, Any] | None = None
    instructions: str | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    pass


@dataclass(frozen=True, slots=True)
class Answer:
    """To a question, in one's own words."""

    text: str


@dataclass(frozen=True, slots=True)
class Present:
    """Whose answer is presented; None lets the vote stand."""

    agent_id: AgentId | None


Reply = Approve | Decline | Answer | Present
