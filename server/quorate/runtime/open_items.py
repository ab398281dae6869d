"""What a log leaves begun and not finished in its transcript: nobody works on it any more, so it is closed."""

from quorate.protocol.events import ItemFinished, ItemStarted
from quorate.protocol.ids import ItemId, RunId
from quorate.protocol.items import Item, ToolCall
from quorate.protocol.records import EventRecord
from quorate.runtime.journal import Journal, Scope


class OpenItems:
    """Of runs. An agent that is taken up again begins its words and calls anew."""

    def __init__(self) -> None:
        self._items: dict[ItemId, tuple[Item, Scope]] = {}

    def fold(self, record: EventRecord) -> None:
        if record.run_id is None:
            return
        match record.event:
            case ItemStarted(item=item):
                self._items[item.item_id] = item, Scope(record.turn_id, record.run_id, record.agent_id)
            case ItemFinished(item=item):
                self._items.pop(item.item_id, None)
            case _:
                pass

    async def close(self, run_id: RunId, journal: Journal) -> None:
        for item, scope in [each for each in self._items.values() if each[1].run_id == run_id]:
            await journal.append(ItemFinished(item=given_up(item)), scope)
            del self._items[item.item_id]


def given_up(item: Item) -> Item:
    """A call that nobody waits for any more; words that were never finished."""
    if isinstance(item, ToolCall):
        return item.model_copy(update={"status": "cancelled"})
    return item.model_copy(update={"discarded": True})
