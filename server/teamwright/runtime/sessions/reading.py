"""A session of another window: read from its log as it stands there, and not touched."""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from teamwright.engine.transcript.fold import Sources
from teamwright.engine.transcript.session import SessionTranscript
from teamwright.engine.transcript.words import PathOf
from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord
from teamwright.runtime.sessions.state_cell import SessionStateCell
from teamwright.store.port import EventStore, stream

EVENTS_AT_ONCE = 1_000


@contextmanager
def nothing_is_garbage() -> Generator[None]:
    """While a log is read, nearly all that comes of it stays: looking at it again and again takes half of the time."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()


@dataclass(frozen=True, slots=True)
class SessionRead:
    """The state, what clients draw of it, what led to it after `after_seq`, and whether there is more of that."""

    cell: SessionStateCell
    transcript: SessionTranscript
    events: tuple[EventRecord, ...]
    more: bool


async def read_session(
    store: EventStore, session_id: SessionId, after_seq: int | None = None, path_of: PathOf = str
) -> SessionRead:
    cell = SessionStateCell(session_id)
    transcript = SessionTranscript(Sources(path_of, cell.runs.get))
    events: list[EventRecord] = []
    with nothing_is_garbage():
        async for page in stream(store, session_id):
            cell.load(page.records)
            for record in page.records:
                transcript.fold(record)
                is_asked_for = after_seq is not None and record.seq is not None and record.seq > after_seq
                if is_asked_for and len(events) <= EVENTS_AT_ONCE:
                    events.append(record)
    if not cell.has_facts:
        cell.describe(await store.summary(session_id))
    return SessionRead(cell, transcript, tuple(events[:EVENTS_AT_ONCE]), more=len(events) > EVENTS_AT_ONCE)
