"""A session of another window: read from its log as it stands there, and not touched."""

from dataclasses import dataclass

from quorate.protocol.ids import SessionId
from quorate.protocol.records import EventRecord
from quorate.runtime.session_state import SessionState
from quorate.store.port import EventStore, stream

EVENTS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class SessionRead:
    """The state, what led to it after `after_seq`, and whether there is more of that."""

    state: SessionState
    events: tuple[EventRecord, ...]
    more: bool


async def read_session(store: EventStore, session_id: SessionId, after_seq: int | None = None) -> SessionRead:
    state = SessionState(session_id)
    events: list[EventRecord] = []
    async for page in stream(store, session_id):
        for record in page.records:
            state.fold(record)
            if after_seq is not None and state.last_seq > after_seq and len(events) <= EVENTS_AT_ONCE:
                events.append(record)
    return SessionRead(state, tuple(events[:EVENTS_AT_ONCE]), more=len(events) > EVENTS_AT_ONCE)
