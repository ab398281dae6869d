"""What may be done about a change set: make what is chosen of it, refuse it, take our own writes back.

An operation blocks on the disk: call it in a worker thread.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, assert_never

from teamwright.protocol.changes import SettledFile
from teamwright.protocol.errors import Conflict, UserError
from teamwright.protocol.ids import AgentId
from teamwright.workspace.changes.change_ledger import ChangeLedger, ChangeState, Receipt
from teamwright.workspace.changes.change_sets import Clash, Mergeable, Standing, resolve_undo
from teamwright.workspace.changes.file_writes import Write
from teamwright.workspace.changes.guarding import ChangeGuard
from teamwright.workspace.files.live_files import LiveFiles


@dataclass(frozen=True, slots=True)
class Made:
    """The file reads this now. Unverified: only the editor says so."""

    text: str | None
    verified: bool = True


@dataclass(frozen=True, slots=True)
class WriteRefused:
    """The file is as it was."""

    reason: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The file holds something that nobody meant to write over."""

    reason: str


@dataclass(frozen=True, slots=True)
class MovedOn:
    """The file was changed before our write came to it: it is to be planned anew."""


Outcome = Made | WriteRefused | Lost | MovedOn


class ChangeOperation(Protocol):
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


class Reversal:
    """`applied` here says that the undoing was."""

    def __init__(
        self, ledger: ChangeLedger, live: LiveFiles, guard: ChangeGuard, uris: Iterable[str] | None = None
    ) -> None:
        self.agent_id = ledger.agent_id
        self._ledger = ledger
        self._live = live
        self._guard = guard
        receipts = {receipt.uri: receipt for receipt in ledger.receipts()}
        chosen = list(receipts) if uris is None else list(uris)
        for uri in chosen:
            ledger.recorded(uri)
            if uri not in receipts:
                raise Conflict(f"Nothing of {uri} is to be undone: this run has not written it, or no longer.")
        self._to_do = {uri: receipts[uri] for uri in chosen}
        self._chosen = tuple(self._to_do)
        self._settled: dict[str, SettledFile] = {}

    @property
    def settled(self) -> tuple[SettledFile, ...]:
        return tuple(self._settled[uri] for uri in self._chosen if uri in self._settled)

    def plan(self) -> tuple[Write, ...]:
        planned = [self._planned(receipt) for receipt in self._to_do.values()]
        self._settle([each for each in planned if isinstance(each, SettledFile)])
        return tuple(each for each in planned if isinstance(each, Write))

    def report(self, outcomes: Sequence[tuple[Write, Outcome]]) -> None:
        settled: list[SettledFile] = []
        for write, outcome in outcomes:
            match outcome:
                case Made():
                    settled.append(_undone(write.uri))
                case WriteRefused(reason):
                    settled.append(SettledFile(uri=write.uri, outcome="rejected", reason=reason))
                case Lost(reason):
                    settled.append(SettledFile(uri=write.uri, outcome="conflicted", reason=reason))
                case MovedOn():
                    pass
                case _:
                    assert_never(outcome)
        self._settle(settled)

    def _planned(self, receipt: Receipt) -> Write | SettledFile:
        try:
            found = self._guard.look(self._live, receipt.path, receipt.uri)
        except UserError as unreadable:
            return SettledFile(uri=receipt.uri, outcome="conflicted", reason=unreadable.message)
        match resolve_undo(receipt.found, receipt.wrote, found.text):
            case Standing():
                return _undone(receipt.uri)
            case Clash(reason, _, _):
                return SettledFile(uri=receipt.uri, outcome="conflicted", reason=reason)
            case Mergeable(text):
                return Write(receipt.path, receipt.uri, found, text, receipt.encoding)

    def _settle(self, settled: Sequence[SettledFile]) -> None:
        self._ledger.undone(*(file.uri for file in settled if file.outcome == "applied"))
        for file in settled:
            del self._to_do[file.uri]
            self._settled[file.uri] = file


def _undone(uri: str) -> SettledFile:
    return SettledFile(uri=uri, outcome="applied", reason="undone")
