"""A session of another window: read from its log as it stands there, and not touched."""

from quorate.protocol.ids import SessionId
from quorate.protocol.records import EventRecord
from quorate.protocol.views import SessionView
from quorate.runtime.session_state import SessionState
from quorate.store.port import EventStore, stream

EVENTS_AT_ONCE = 1_000


async def read_session(
    store: EventStore, session_id: SessionId, after_seq: int | None
) -> tuple[SessionView, tuple[EventRecord, ...], bool]:
    """The view, what came after `after_seq`, and whether there is more."""
    state = SessionState(session_id)
    async for page in stream(store, session_id):
        for record in page.records:
            state.fold(record)
    if after_seq is None:
        return state.view(), (), False
    missed = await store.read_after(session_id, after_seq, limit=EVENTS_AT_ONCE)
    return state.view(), missed.records, missed.more
