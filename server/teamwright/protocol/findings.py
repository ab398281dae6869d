"""The remarks of a review, as one agent makes them and as the team stands behind them."""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import Field

from teamwright.protocol.base import Maybe, Wire
from teamwright.protocol.checks import CheckFile
from teamwright.protocol.ids import AgentId, FindingId
from teamwright.protocol.items import Range

Severity = Literal["error", "warning", "info", "hint"]
# Whether what was to fail because of a finding did; `not_run`: that could not be told.
Reproduced = Literal["yes", "no", "not_run"]
REPRODUCED: Final[Mapping[Reproduced, str]] = {
    "yes": "reproduced",
    "no": "not reproduced",
    "not_run": "reproduction not run",
}


class Reproduction(Wire):
    """A command that fails because of a finding, and the files that it brings along."""

    argv: tuple[str, ...] = Field(min_length=1)
    files: tuple[CheckFile, ...] = ()


class Finding(Wire):
    finding_id: FindingId
    uri: str
    range: Range
    severity: Severity
    title: str
    detail: str
    suggestion: Maybe[str] = None
    # Not there where nothing was brought that could reproduce it, or nobody allowed it to run.
    reproduced: Maybe[Reproduced] = None
    not_run_because: Maybe[str] = None

    @property
    def unproven(self) -> str:
        """Why its reproduction says nothing, as a sentence; empty where it does, or there is none."""
        return f"Its reproduction could not be judged: {self.not_run_because}" if self.not_run_because else ""


class AgreedFinding(Finding):
    """Several agents' remarks on the same thing, as one: `agents` of `of` agree."""

    agents: tuple[AgentId, ...]
    of: int
    # Agents that checked it and found it wrong.
    disputed_by: Maybe[tuple[AgentId, ...]] = None
    dismissed: bool = False

    @property
    def standing(self) -> str:
        """In words: how many stand behind it and against it, and what came of reproducing it."""
        agents = f"{len(self.agents)} of {self.of} {'agent' if self.of == 1 else 'agents'}"
        against = f"{len(self.disputed_by)} against" if self.disputed_by else ""
        return ", ".join(filter(None, (agents, against, REPRODUCED[self.reproduced] if self.reproduced else "")))

    @property
    def agreement(self) -> int:
        """How many voices it has, each that disputes it taking one away."""
        return len(self.agents) - len(self.disputed_by or ())

    @property
    def is_consensus(self) -> bool:
        return 2 * self.agreement > self.of
