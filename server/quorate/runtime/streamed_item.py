"""A text item while it is being written: started, deltas, finished."""

from collections.abc import Callable

from quorate.protocol.events import ItemDelta, ItemFinished, ItemStarted
from quorate.protocol.ids import ItemId
from quorate.protocol.items import AssistantMessage, Presentation, Reasoning, TextItem
from quorate.runtime.deltas import DeltaStream
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal, Scope

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

    async def finish(self, *, discarded: bool = False, ends_turn: bool = False, is_followed: bool = False) -> None:
        item = self._item(self._stream.finish())
        if discarded:
            item = item.model_copy(update={"discarded": True})
        finished = ItemFinished(item=item, ends_turn=ends_turn or None)
        if is_followed:
            self._journal.note(finished, self._scope)
        else:
            await self._journal.append(finished, self._scope)
