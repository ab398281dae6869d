"""Events for a client that knows them, as notifications. Other clients would warn their users of each."""

from quorate.lsp.transport.event_entries import entry_of, key_of
from quorate.lsp.transport.outbox import Outbox
from quorate.protocol.events import ItemDelta
from quorate.protocol.records import EventRecord


class EventFeed:
    def __init__(self, outbox: Outbox, *, deltas: bool) -> None:
        self._outbox = outbox
        self._deltas = deltas

    def __call__(self, record: EventRecord) -> None:
        if self._deltas or not isinstance(record.event, ItemDelta):
            self._outbox.put(entry_of(record), key_of(record))
