"""The items of a transcript that come before those a client has already."""

from teamwright.engine.session.reduce import ITEMS_IN_VIEW
from teamwright.engine.session.state import PlacedItem
from teamwright.engine.session.view import placed_item
from teamwright.protocol.events import ItemFinished, ItemStarted
from teamwright.protocol.ids import ItemId, SessionId
from teamwright.protocol.items import Item
from teamwright.protocol.records import EventRecord
from teamwright.store.port import EventStore


async def items_before(store: EventStore, session_id: SessionId, seq: int) -> tuple[Item, ...]:
    """Those that began before the item with a record at `seq`, the latest ones, in the order in which they began.

    The log is read from its end, because an item that began earlier may have ended later.
    """
    older = _OlderItems(seq)
    before: int | None = None
    while True:
        page = await store.read_before(session_id, before)
        for record in reversed(page.records):
            older.take(record)
        first = min((each for each in (*_seqs(page.records), *(bad.seq for bad in page.damaged))), default=None)
        if first is None or not page.more or len(older.items) >= ITEMS_IN_VIEW:
            return tuple(reversed(older.items[:ITEMS_IN_VIEW]))
        before = first


class _OlderItems:
    def __init__(self, seq: int) -> None:
        # Newest first.
        self.items: list[Item] = []
        self._seq = seq
        self._shown: ItemId | None = None
        self._latest: dict[ItemId, Item] = {}

    def take(self, record: EventRecord) -> None:
        seq = record.seq or 0
        if not isinstance(record.event, ItemStarted | ItemFinished):
            return
        item = record.event.item
        latest = self._latest.setdefault(item.item_id, placed_item(PlacedItem(item, seq, record.scope)))
        if seq == self._seq:
            self._shown = item.item_id
        if isinstance(record.event, ItemStarted):
            if self._shown == item.item_id:
                self._shown = None
            elif self._shown is None and seq < self._seq:
                self.items.append(latest)


def _seqs(records: tuple[EventRecord, ...]) -> list[int]:
    return [record.seq for record in records if record.seq is not None]
