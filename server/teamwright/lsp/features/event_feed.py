"""Events for a client that knows them, as notifications. Other clients would warn their users of each."""

from teamwright.lsp.transport.event_entries import entry_of, key_of
from teamwright.lsp.transport.outbox import Outbox
from teamwright.protocol.events import ItemDelta, RunUpdated
from teamwright.protocol.records import EventRecord


class EventFeed:
    def __init__(self, outbox: Outbox, *, deltas: bool, transcript: bool = False) -> None:
        """To a client that draws the transcript, the patches say what grows and how its runs stand."""
        self._outbox = outbox
        self._passed_over: tuple[type, ...] = (ItemDelta, RunUpdated) if transcript else () if deltas else (ItemDelta,)

    def __call__(self, record: EventRecord) -> None:
        if not isinstance(record.event, self._passed_over):
            self._outbox.put(entry_of(record), key_of(record))
