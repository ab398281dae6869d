"""A journal on a real store, for tests of those who write to it at once."""

from collections.abc import Sequence

from teamwright.protocol.events import DurableEvent, MessageShared
from teamwright.protocol.ids import AgentId, SessionId
from teamwright.protocol.records import EventRecord, Scope
from teamwright.runtime.bus import Bus
from teamwright.runtime.journal import Journal
from teamwright.store.sqlite import SqliteStore

SESSION = SessionId("ses_1")


def said(text: str) -> MessageShared:
    return MessageShared(sender="user", to=(AgentId("alpha"),), text=text)


class WatchedJournal:
    """A journal on a real store, what was folded and heard of it, and how often the disk was asked."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.writes = 0
        self.seen: list[tuple[str, int | None]] = []
        bus = Bus()
        bus.subscribe(lambda record: self.seen.append(("heard", record.seq)), SESSION)
        self.journal = Journal(SESSION, self, bus)  # pyright: ignore[reportArgumentType] - all that a journal asks of it
        self.journal.fold_into(lambda record: self.seen.append(("folded", record.seq)))

    async def append(self, session_id: SessionId, records: Sequence[EventRecord]) -> tuple[EventRecord, ...]:
        self.writes += 1
        return await self.store.append(session_id, records)

    async def write(self, event: DurableEvent) -> int | None:
        return (await self.journal.append(event, Scope())).seq

    async def on_disk(self) -> list[str]:
        page = await self.store.read_after(SESSION, 1)
        return [record.event.text for record in page.records if isinstance(record.event, MessageShared)]
