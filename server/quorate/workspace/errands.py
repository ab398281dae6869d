"""What may be done about a change set: make what is chosen of it, refuse it, take our own writes back.

An errand blocks on the disk: call it in a worker thread.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from quorate.protocol.changes import SettledFile
from quorate.protocol.ids import AgentId
from quorate.workspace.change_ledger import ChangeLedger, ChangeState
from quorate.workspace.file_writes import Write


@dataclass(frozen=True, slots=True)
class Made:
    """The file reads this now. Unverified: only the editor says so."""

    text: str | None
    verified: bool = True


@dataclass(frozen=True, slots=True)
class Refused:
    """The file is as it was."""

    reason: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The file holds something that nobody meant to write over."""

    reason: str


@dataclass(frozen=True, slots=True)
class MovedOn:
    """The file was changed before our write came to it: it is to be planned anew."""


Outcome = Made | Refused | Lost | MovedOn


class Errand(Protocol):
    @property
    def agent_id(self) -> AgentId: ...

    def plan(self) -> tuple[Write, ...]:
        """What is still to be written, over what stands there now. What needs no write is settled."""
        ...

    def report(self, outcomes: Sequence[tuple[Write, Outcome]]) -> None: ...

    @property
    def settled(self) -> tuple[SettledFile, ...]: ...


class Rejection:
    """Leaves the user's files alone for good; without a choice, all of those that are left."""

    def __init__(
        self,
        ledger: ChangeLedger,
        uris: Iterable[str] | None = None,
        *,
        reason: str,
        left: tuple[ChangeState, ...] = ("proposed",),
    ) -> None:
        self.agent_id = ledger.agent_id
        self._ledger = ledger
        chosen = [change.uri for change in ledger.changes(*left)] if uris is None else list(uris)
        self.settled = tuple(SettledFile(uri=uri, outcome="rejected", reason=reason) for uri in chosen)

    def plan(self) -> tuple[Write, ...]:
        self._ledger.settle(*self.settled)
        return ()

    def report(self, outcomes: Sequence[tuple[Write, Outcome]]) -> None:
        """Nothing was written."""
