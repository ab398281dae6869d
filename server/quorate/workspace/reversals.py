"""Taking back our own writes, as long as they stand as we wrote them."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from quorate.protocol.changes import SettledFile
from quorate.protocol.errors import Conflict, UserError
from quorate.workspace.change_ledger import ChangeLedger, Receipt
from quorate.workspace.change_sets import Clash, Ready, Standing, resolve_undo
from quorate.workspace.errands import Lost, Made, MovedOn, Outcome, Refused
from quorate.workspace.file_writes import Write, look
from quorate.workspace.live_files import LiveFiles


class Reversal:
    """`applied` here says that the undoing was."""

    def __init__(self, ledger: ChangeLedger, live: LiveFiles, uris: Iterable[str] | None = None) -> None:
        self.agent_id = ledger.agent_id
        self._ledger = ledger
        self._live = live
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
                case Refused(reason):
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
            found = look(self._live, receipt.path)
        except UserError as unreadable:
            return SettledFile(uri=receipt.uri, outcome="conflicted", reason=unreadable.message)
        match resolve_undo(receipt.found, receipt.wrote, found.text):
            case Standing():
                return _undone(receipt.uri)
            case Clash(reason, _, _):
                return SettledFile(uri=receipt.uri, outcome="conflicted", reason=reason)
            case Ready(text):
                return Write(receipt.path, receipt.uri, found, text, receipt.encoding)

    def _settle(self, settled: Sequence[SettledFile]) -> None:
        self._ledger.undone(*(file.uri for file in settled if file.outcome == "applied"))
        for file in settled:
            del self._to_do[file.uri]
            self._settled[file.uri] = file


def _undone(uri: str) -> SettledFile:
    return SettledFile(uri=uri, outcome="applied", reason="undone")
