"""Which sessions are at work in this process, and how many may be."""

from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager

from teamwright.engine.session.admission import refusal_of_work
from teamwright.protocol.ids import SessionId
from teamwright.runtime.sessions.session import Session


class Workload:
    def __init__(self, sessions: Callable[[], Collection[Session]]) -> None:
        self._sessions = sessions
        self._starting: list[SessionId] = []

    @property
    def active(self) -> int:
        return sum(session.conductor.is_active for session in self._sessions())

    @contextmanager
    def admitted(self, session: Session) -> Generator[None]:
        """While a session is set to work. Raises LimitReached where too many are already: nothing is written then."""
        others = self._others(session.session_id)
        limit = session.settings.max_active_sessions
        refusal = refusal_of_work(is_active=session.conductor.is_active, others_active=len(others), limit=limit)
        if refusal is not None:
            raise refusal
        self._starting.append(session.session_id)
        try:
            yield
        finally:
            self._starting.remove(session.session_id)

    def has_room(self, session: Session) -> bool:
        """For what was admitted before, and waited for a person or for room: it is never refused."""
        return len(self._others(session.session_id)) < session.settings.max_active_sessions

    def rearranged(self) -> None:
        for session in tuple(self._sessions()):
            if session.conductor.lacks_room and self.has_room(session):
                session.cell.wake()

    def _others(self, session_id: SessionId) -> set[SessionId]:
        active = {each.session_id for each in self._sessions() if each.conductor.is_active}
        return {*active, *self._starting} - {session_id}
