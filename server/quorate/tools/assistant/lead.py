"""The session as the assistant's tools see it."""

from collections.abc import Sequence
from typing import Protocol

from quorate.protocol.ids import RunId
from quorate.protocol.runs import RunSpec


class Lead(Protocol):
    async def launch(self, spec: RunSpec) -> str:
        """Runs it to its end, approval included; what came of it, for the model. Raises UserError."""
        ...

    async def report(self, run_id: RunId) -> str:
        """How a run of this session stands, or what came of it. Raises UserError."""
        ...

    async def ask_person(self, question: str, choices: Sequence[str]) -> str: ...
