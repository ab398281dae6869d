"""A session's log as it grows: every durable event gets its number, then everybody who listens hears of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from quorate.protocol.events import AnyEvent, DurableEvent, TransientEvent
from quorate.protocol.ids import AgentId, RunId, SessionId, TurnId
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Bus
from quorate.runtime.identity import now


@dataclass(frozen=True, slots=True)
class Scope:
    """What an event belongs to, besides its session."""

    turn_id: TurnId | None = None
    run_id: RunId | None = None
    agent_id: AgentId | None = None


class Journal:
    def __init__(self, session_id: SessionId, bus: Bus) -> None:
        self.session_id = session_id
        self._bus = bus
        self._records: list[EventRecord] = []

    @property
    def records(self) -> Sequence[EventRecord]:
        return self._records

    async def append(self, event: DurableEvent, scope: Scope) -> EventRecord:
        record = self._enveloped(event, scope, seq=len(self._records) + 1)
        self._records.append(record)
        self._bus.publish(record)
        return record

    def announce(self, event: TransientEvent, scope: Scope) -> None:
        """For what is only of the moment and leaves no trace in the log."""
        self._bus.publish(self._enveloped(event, scope, seq=None))

    def _enveloped(self, event: AnyEvent, scope: Scope, seq: int | None) -> EventRecord:
        return EventRecord(
            seq=seq,
            at=now(),
            session_id=self.session_id,
            turn_id=scope.turn_id,
            run_id=scope.run_id,
            agent_id=scope.agent_id,
            event=event,
        )
