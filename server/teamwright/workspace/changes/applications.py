"""Making what is chosen of a change set, merged with what was typed meanwhile, never over it."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from teamwright.protocol.changes import FileChoice, SettledFile
from teamwright.protocol.errors import UserError
from teamwright.workspace.changes.change_ledger import ChangeLedger, ChangeState, Intent
from teamwright.workspace.changes.change_sets import Clash, FileChange, Mergeable, Standing, check_hunks, resolve
from teamwright.workspace.changes.file_writes import Write
from teamwright.workspace.changes.guarding import ChangeGuard
from teamwright.workspace.changes.operations import Lost, Made, MovedOn, Outcome, WriteRefused
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.safe_files import ContentChanged

UNVERIFIED = "unverified"


class ChangeApplication:
    """Makes what is chosen, of those changes that are in one of the states `left`; without a choice, all of them.

    Raises before anything is written for a choice that makes no sense.
    """

    def __init__(
        self,
        ledger: ChangeLedger,
        live: LiveFiles,
        guard: ChangeGuard,
        choices: Iterable[FileChoice] | None = None,
        *,
        left: tuple[ChangeState, ...] = ("proposed",),
    ) -> None:
        self.agent_id = ledger.agent_id
        self._ledger = ledger
        self._live = live
        self._guard = guard
        if choices is None:
            choices = [FileChoice(uri=change.uri) for change in ledger.changes(*left)]
        changes = [(ledger.change(choice.uri), choice.hunks) for choice in choices]
        check_hunks(changes)
        chosen = {change.uri: (change, hunks) for change, hunks in changes}
        self._to_do = {uri: each for uri, each in chosen.items() if ledger.recorded(uri).state in left}
        self._chosen = tuple(self._to_do)
        self._settled: dict[str, SettledFile] = {}

    @property
    def settled(self) -> tuple[SettledFile, ...]:
        return tuple(self._settled[uri] for uri in self._chosen if uri in self._settled)

    def plan(self) -> tuple[Write, ...]:
        planned = [self._planned(change, hunks) for change, hunks in self._to_do.values()]
        writes = tuple(each for each in planned if isinstance(each, Write))
        self._settle([each for each in planned if isinstance(each, SettledFile)])
        self._ledger.intend(*(_intent(write) for write in writes))
        return writes

    def report(self, outcomes: Sequence[tuple[Write, Outcome]]) -> None:
        settled: list[SettledFile] = []
        for write, outcome in outcomes:
            match outcome:
                case Made(text, verified):
                    if text is not None and text != write.text:
                        self._ledger.correct(write.uri, text)
                    reason = None if verified else UNVERIFIED
                    settled.append(SettledFile(uri=write.uri, outcome="applied", reason=reason))
                case WriteRefused(reason):
                    settled.append(SettledFile(uri=write.uri, outcome="rejected", reason=reason))
                case Lost(reason):
                    settled.append(self._conflicted(write.uri, reason))
                case MovedOn():
                    pass
                case _:
                    assert_never(outcome)
        self._settle(settled)

    def _planned(self, change: FileChange, hunks: tuple[int, ...] | None) -> Write | SettledFile:
        uri = change.uri
        if hunks == ():
            return SettledFile(uri=uri, outcome="rejected", reason="none of its hunks was chosen")
        try:
            self._guard.require_shown(change, self.agent_id)
            found = self._guard.look(self._live, change.path, uri)
        except ContentChanged as changed:
            return self._conflicted(uri, changed.message)
        except UserError as refused:
            return SettledFile(uri=uri, outcome="rejected", reason=refused.message)
        match resolve(change, found.text, hunks):
            case Standing():
                return SettledFile(uri=uri, outcome="applied", reason="already as proposed")
            case Clash(reason, _, _):
                return self._conflicted(uri, reason)
            case Mergeable(text):
                return Write(change.path, uri, found, text)

    def _conflicted(self, uri: str, reason: str) -> SettledFile:
        kept = self._ledger.keep_ours(uri)
        where = "" if kept is None else f"; the proposed text is kept in {kept}"
        return SettledFile(uri=uri, outcome="conflicted", reason=f"{reason}{where}")

    def _settle(self, settled: Sequence[SettledFile]) -> None:
        self._ledger.settle(*settled)
        for file in settled:
            self._to_do.pop(file.uri, None)
            self._settled[file.uri] = file


def _intent(write: Write) -> Intent:
    return Intent(write.uri, write.found.text, write.text, write.found.encoding or write.encoding)
