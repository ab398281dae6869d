"""The run as a workflow tool sees it. Whether a submission counts is the run's to say, and so is the reason if not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from quorate.protocol.findings import Severity
from quorate.protocol.ids import FindingId
from quorate.protocol.plans import Plan


@dataclass(frozen=True, slots=True)
class Taken:
    """The sentence that the agent gets back."""

    text: str


@dataclass(frozen=True, slots=True)
class NotTaken:
    reason: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding as an agent words it: lines from one, the last one included."""

    path: str
    line: int
    end_line: int | None
    severity: Severity
    title: str
    detail: str
    suggestion: str | None


class Floor(Protocol):
    """One agent's place in its run."""

    async def say(self, text: str) -> Taken | NotTaken:
        """Text without any call: an answer where one is due, and nothing where a vote is."""
        ...

    async def answer(self, content: str) -> Taken | NotTaken: ...

    async def vote(self, target: str, reason: str, disputed: Sequence[FindingId]) -> Taken | NotTaken: ...

    async def propose(self, plan: Plan) -> Taken | NotTaken: ...

    async def remark(self, remark: Remark) -> Taken | NotTaken: ...

    async def ask_person(self, question: str, choices: Sequence[str]) -> str: ...
