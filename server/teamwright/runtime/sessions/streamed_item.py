"""A text item while it is being written: started, deltas, finished."""

from collections.abc import Callable

from teamwright.protocol.events import ItemDelta, ItemFinished, ItemStarted
from teamwright.protocol.ids import ItemId
from teamwright.protocol.items import AssistantMessage, Presentation, Reasoning, TextItem
from teamwright.protocol.records import Scope
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.journal import Journal
from teamwright.runtime.throttle import DeltaStream

TextItemType = type[AssistantMessage] | type[Reasoning] | type[Presentation]


class StreamedItem:
    @classmethod
    async def begin(cls, kind: TextItemType, journal: Journal, scope: Scope, step: int | None = None) -> "StreamedItem":
        item_id = ItemId(fresh_id("item"))
        await journal.append(ItemStarted(item=kind(item_id=item_id), step=step), scope)
        return cls(lambda text: kind(item_id=item_id, text=text), item_id, journal, scope)

    def __init__(self, item: Callable[[str], TextItem], item_id: ItemId, journal: Journal, scope: Scope) -> None:
        self._item = item
        self._journal = journal
        self._scope = scope
        self._stream = DeltaStream(
            lambda offset, text: journal.announce(ItemDelta(item_id=item_id, offset=offset, text=text), scope)
        )

    def feed(self, text: str) -> None:
        self._stream.feed(text)

    async def finish(self, *, discarded: bool = False) -> None:
        await self._journal.append(self.ended(discarded=discarded), self._scope)

    def ended(self, *, discarded: bool = False, ends_turn: bool = False) -> ItemFinished:
        """The fact that it is finished, for whoever records it."""
        item = self._item(self._stream.finish())
        if discarded:
            item = item.model_copy(update={"discarded": True})
        return ItemFinished(item=item, ends_turn=ends_turn or None)
