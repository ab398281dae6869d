"""What clients draw of a session's findings, whenever they have changed."""

import asyncio
from collections.abc import Callable

from teamwright.protocol.events import AnyEvent, FindingDismissed, FindingReported, FindingsUpdated, VoteCast
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.records import EventRecord, Scope
from teamwright.runtime.journal import Journal


def changes_findings(event: AnyEvent) -> bool:
    match event:
        case FindingReported() | FindingDismissed() | VoteCast(disputed=(_, *_)):
            return True
        case _:
            return False


class FindingsFeed:
    def __init__(self, journal: Journal, findings: Callable[[], tuple[AgreedFinding, ...]]) -> None:
        self._journal = journal
        self._findings = findings
        self._soon: asyncio.Handle | None = None

    def hear(self, record: EventRecord) -> None:
        if changes_findings(record.event):
            self.show()

    def show(self) -> None:
        """Said a moment later: clients hear of a fact first, and then see it drawn."""
        if self._soon is None:
            self._soon = asyncio.get_running_loop().call_soon(self._announce)

    def _announce(self) -> None:
        self._soon = None
        if findings := self._findings():
            self._journal.announce(FindingsUpdated(findings=findings), Scope())
