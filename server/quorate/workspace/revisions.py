"""Changing our part of a file that a person has open: by the editor's hand, and only while nobody else changes it."""

from collections.abc import Sequence
from typing import assert_never

from quorate.protocol.changes import SettledFile
from quorate.protocol.ids import AgentId
from quorate.workspace.errands import Lost, Made, MovedOn, Outcome, Refused
from quorate.workspace.file_writes import Write, look
from quorate.workspace.live_files import LiveFiles
from quorate.workspace.own_files import InEditor

_BY = AgentId("assistant")


class Revision:
    """An errand; see there."""

    def __init__(self, live: LiveFiles, revision: InEditor) -> None:
        self.agent_id = _BY
        self.settled: tuple[SettledFile, ...] = ()
        self._live = live
        self._revision = revision
        self._uri = live.uri(revision.path)

    def plan(self) -> tuple[Write, ...]:
        found = look(self._live, self._revision.path)
        if self.settled:
            return ()
        if found.text == self._revision.before:
            return (Write(self._revision.path, self._uri, found, self._revision.after),)
        self._settle("applied" if found.text == self._revision.after else "it was changed meanwhile")
        return ()

    def report(self, outcomes: Sequence[tuple[Write, Outcome]]) -> None:
        for _, outcome in outcomes:
            match outcome:
                case Made():
                    self._settle("applied")
                case Refused(reason) | Lost(reason):
                    self._settle(reason)
                case MovedOn():
                    pass
                case _:
                    assert_never(outcome)

    def _settle(self, how: str) -> None:
        if how == "applied":
            self.settled = (SettledFile(uri=self._uri, outcome="applied"),)
        else:
            self.settled = (SettledFile(uri=self._uri, outcome="rejected", reason=how),)
