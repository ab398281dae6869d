"""Events as they wait for the client: which of them join or replace each other, and what stands for those left out."""

from collections.abc import Hashable, Iterable
from typing import Final

from teamwright.lsp.shortening import MAX_TEXT_BYTES, shortened
from teamwright.lsp.transport.outbox import OutboundMessage
from teamwright.protocol.events import FindingsUpdated, ItemDelta, RunUpdated, SessionResync
from teamwright.protocol.names import EVENT_METHOD
from teamwright.protocol.records import EventRecord

# What waits for a person is told, however slow the client is.
_VITAL: Final = frozenset({"session.resync", "decision.requested", "decision.resolved"})
_VIEW_BYTES: Final = 4096
# A code point takes at most four bytes.
_MAX_DELTA: Final = MAX_TEXT_BYTES // 4


class EventEntry(OutboundMessage):
    def __init__(self, record: EventRecord) -> None:
        self._record = record
        # At once, so that its size is known; a view only when the client takes it: most are replaced before.
        self._body = None if key_of(record) is not None else _body(record)
        self.group = record.session_id
        self.is_vital = record.session_id is None or record.event.type in _VITAL
        self.place = record.seq

    @property
    def size(self) -> int:
        return _VIEW_BYTES if self._body is None else len(self._body)

    def bodies(self) -> Iterable[bytes]:
        return (self._body or _body(self._record),)

    def stand_in(self, place: int) -> OutboundMessage:
        return _resync(self._record, place)


class DeltaEntry(OutboundMessage):
    """Pieces of one item's text, joined as long as each follows on the one before."""

    is_vital = False

    def __init__(self, record: EventRecord, delta: ItemDelta) -> None:
        self._record = record
        self.delta = delta
        self.texts = [delta.text]
        self.length = len(delta.text)
        self.group = record.session_id

    @property
    def size(self) -> int:
        return 1024 + self.length

    def bodies(self) -> Iterable[bytes]:
        """No piece is too long for an event; there is no need to cut what can be said in several."""
        whole = "".join(self.texts)
        for start in range(0, len(whole), _MAX_DELTA):
            said = {"offset": self.delta.offset + start, "text": whole[start : start + _MAX_DELTA]}
            yield _body(self._record.model_copy(update={"event": self.delta.model_copy(update=said)}))

    def joined_by(self, newer: OutboundMessage) -> bool:
        if not isinstance(newer, DeltaEntry) or newer.delta.offset != self.delta.offset + self.length:
            return False
        self.texts += newer.texts
        self.length += newer.length
        return True

    def stand_in(self, place: int) -> OutboundMessage:
        return _resync(self._record, place)


def entry_of(record: EventRecord) -> OutboundMessage:
    return DeltaEntry(record, record.event) if isinstance(record.event, ItemDelta) else EventEntry(record)


def key_of(record: EventRecord) -> Hashable:
    """Events with one key are of one thing, of which only the newest state counts. None: a fact of its own."""
    match record.event:
        case ItemDelta(item_id=item_id):
            return ("item.delta", item_id)
        case RunUpdated() | FindingsUpdated() as event:
            return (event.type, record.session_id, record.turn_id, record.run_id, record.agent_id)
        case _:
            return None


def _resync(left_out: EventRecord, place: int) -> OutboundMessage:
    resync = SessionResync(last_seq=place)
    return EventEntry(EventRecord(seq=None, at=left_out.at, session_id=left_out.session_id, event=resync))


def _body(record: EventRecord) -> bytes:
    params = record.to_json()
    if len(params) > MAX_TEXT_BYTES // 4:
        params = shortened(record).to_json()
    return f'{{"jsonrpc":"2.0","method":"{EVENT_METHOD}","params":{params}}}'.encode()
