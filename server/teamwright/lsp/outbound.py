"""What the client hears of its sessions. A response precedes every event that bears its ids."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from teamwright.application.background import contained
from teamwright.application.lifecycle import Listener
from teamwright.protocol.command_table import NamedSession, NewSession, NoSession
from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord


@dataclass(slots=True, eq=False)
class _Hold:
    """Of one session, or of those that the client has not heard of before."""

    session: NamedSession | NewSession
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
        hold = next((hold for hold in self._holds if self._waits(record.session_id, hold)), None)
        if hold is not None:
            hold.records.append(record)
            return
        for follower in self._followers:
            with contained("Telling the client"):
                follower(record)

    @contextmanager
    def held(self, session: NamedSession | NewSession | NoSession) -> Generator[None]:
        """While a command is answered, what it causes in its session waits behind the response.

        Of a new session nobody knows the id yet.
        """
        if isinstance(session, NoSession):
            yield
            return
        hold = _Hold(session, len(self._sessions))
        self._holds.append(hold)
        try:
            yield
        finally:
            self._holds.remove(hold)
            for record in hold.records:
                self(record)

    def is_held(self, session_id: SessionId) -> bool:
        """Whether the client is to hear nothing of a session for now."""
        return any(self._waits(session_id, hold) for hold in self._holds)

    def _waits(self, session_id: SessionId | None, hold: _Hold) -> bool:
        if session_id is None:
            return False
        if isinstance(hold.session, NewSession):
            return self._sessions[session_id] >= hold.sessions_before
        return session_id == hold.session.session_id
