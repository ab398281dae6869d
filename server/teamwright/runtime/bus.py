"""Who hears of which event. Publishing never waits: a listener that needs time keeps a queue of its own."""

from collections.abc import Callable

from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord

Listener = Callable[[EventRecord], None]

# What every client of the workspace is told, whichever sessions it has open.
_TOLD_TO_ALL = frozenset({"session.updated", "decision.requested", "decision.resolved"})


def is_told_to_all(record: EventRecord) -> bool:
    return record.event.type in _TOLD_TO_ALL


class Bus:
    def __init__(self) -> None:
        self._sessions_heard: dict[Listener, set[SessionId]] = {}
        self._tell_peers: Listener | None = None

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

    def tell_peers_by(self, tell: Listener) -> None:
        """From now on the other processes of the workspace hear of what is published here."""
        self._tell_peers = tell

    def publish(self, record: EventRecord) -> None:
        self.relay(record)
        if self._tell_peers is not None:
            self._tell_peers(record)

    def relay(self, record: EventRecord) -> None:
        """To our own clients only: what another process has written is for that one to tell."""
        for listener, sessions in tuple(self._sessions_heard.items()):
            if record.session_id is None or record.session_id in sessions or is_told_to_all(record):
                listener(record)
