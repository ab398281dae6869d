"""The port to an editor that makes changes for us: what it makes is on the screen at once, and can be undone there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from quorate.protocol.ids import AgentId
from quorate.workspace.file_writes import Write


@dataclass(frozen=True, slots=True)
class Accepted:
    """It says that all of it is made. What is true the documents tell."""


@dataclass(frozen=True, slots=True)
class Declined:
    """It says that not all of it was made."""

    reason: str


Answer = Accepted | Declined


class Editor(Protocol):
    def can_make(self, write: Write) -> bool:
        """Whether it knows how to; if not, the write is made on disk."""
        ...

    async def make(self, writes: Sequence[Write], agent_id: AgentId) -> Answer:
        """All at once, in one step."""
        ...
