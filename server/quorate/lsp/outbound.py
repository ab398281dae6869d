"""What the client hears of its sessions. A response precedes every event that bears its ids."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from quorate.lsp.containment import contained
from quorate.protocol.ids import SessionId
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Listener


@dataclass(slots=True, eq=False)
class _Hold:
    """Of one session, or of those that the client has not heard of before."""

    session_id: SessionId | None
    sessions_before: int
    records: list[EventRecord] = field(default_factory=list[EventRecord])


class Outbound:
    def __init__(self) -> None:
        self._followers: list[Listener] = []
        self._holds: list[_Hold] = []
        # In the order in which they were first heard of.
        self._sessions: dict[SessionId, int] = {}

    def follow(self, follower: Listener) -> None:
        """From now on it is told all that the client is told, in its own way."""
        self._followers.append(follower)

    def __call__(self, record: EventRecord) -> None:
        if record.session_id is not None:
            self._sessions.setdefault(record.session_id, len(self._sessions))
        hold = next((hold for hold in self._holds if self._waits(record, hold)), None)
        if hold is not None:
            hold.records.append(record)
            return
        for follower in self._followers:
            with contained("Telling the client"):
                follower(record)

    @contextmanager
    def held(self, session_id: SessionId | None) -> Generator[None]:
        """While a command is answered, what it causes in its session waits behind the response.

        None: the command may start a session, whose id nobody knows yet.
        """
        hold = _Hold(session_id, len(self._sessions))
        self._holds.append(hold)
        try:
            yield
        finally:
            self._holds.remove(hold)
            for record in hold.records:
                self(record)

    def _waits(self, record: EventRecord, hold: _Hold) -> bool:
        if record.session_id is None:
            return False
        if hold.session_id is None:
            return self._sessions[record.session_id] >= hold.sessions_before
        return record.session_id == hold.session_id
