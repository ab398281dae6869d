"""Who hears of which event. Publishing never waits: a listener that needs time keeps a queue of its own."""

from collections.abc import Callable

from quorate.protocol.ids import SessionId
from quorate.protocol.records import EventRecord

Listener = Callable[[EventRecord], None]

# What every client of the workspace is told, whichever sessions it has open.
_TOLD_TO_ALL = frozenset({"session.updated", "decision.requested", "decision.resolved"})


class Bus:
    def __init__(self) -> None:
        self._sessions_heard: dict[Listener, set[SessionId]] = {}

    def join(self, listener: Listener) -> None:
        self._sessions_heard.setdefault(listener, set())

    def leave(self, listener: Listener) -> None:
        self._sessions_heard.pop(listener, None)

    def subscribe(self, listener: Listener, session_id: SessionId) -> None:
        self._sessions_heard.setdefault(listener, set()).add(session_id)

    def unsubscribe(self, listener: Listener, session_id: SessionId) -> None:
        self._sessions_heard.get(listener, set()).discard(session_id)

    def is_heard(self, session_id: SessionId) -> bool:
        """Whether anybody could see an offer that is made in this session."""
        return any(session_id in sessions for sessions in self._sessions_heard.values())

    def publish(self, record: EventRecord) -> None:
        for listener, sessions in tuple(self._sessions_heard.items()):
            if record.session_id is None or record.session_id in sessions or record.event.type in _TOLD_TO_ALL:
                listener(record)
