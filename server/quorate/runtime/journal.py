"""A session's log as it grows. For every durable event, in this order: on disk, folded into the states, published."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import anyio

from quorate.protocol.events import AnyEvent, DurableEvent, TransientEvent
from quorate.protocol.ids import AgentId, RunId, SessionId, TurnId
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Bus
from quorate.runtime.identity import now
from quorate.runtime.shielding import shielded
from quorate.store.port import EventStore

Fold = Callable[[EventRecord], None]


@dataclass(frozen=True, slots=True)
class Scope:
    """What an event belongs to, besides its session."""

    turn_id: TurnId | None = None
    run_id: RunId | None = None
    agent_id: AgentId | None = None

    def of_agent(self, agent_id: AgentId) -> "Scope":
        return replace(self, agent_id=agent_id)


Append = Callable[[DurableEvent, Scope], Awaitable[EventRecord]]


class Journal:
    def __init__(self, session_id: SessionId, store: EventStore, bus: Bus) -> None:
        self.session_id = session_id
        self._store = store
        self._bus = bus
        self._turnstile = anyio.Lock(fast_acquire=True)
        self._folds: list[Fold] = []

    def fold_into(self, fold: Fold) -> None:
        """From now on every record reaches this state before any client sees it."""
        self._folds.append(fold)

    def stop_folding(self, fold: Fold) -> None:
        self._folds.remove(fold)

    @asynccontextmanager
    async def undisturbed(self) -> AsyncGenerator[Append]:
        """For what must be judged and recorded as one: nobody else writes in between."""
        async with self._turnstile:
            yield self._append

    async def append(self, event: DurableEvent, scope: Scope) -> EventRecord:
        async with self._turnstile:
            return await self._append(event, scope)

    def replay(self, record: EventRecord) -> None:
        """A record of old: the states hear of it, and nobody else."""
        for fold in tuple(self._folds):
            fold(record)

    def announce(self, event: TransientEvent, scope: Scope) -> None:
        """For what is only of the moment and leaves no trace in the log."""
        self._bus.publish(self._enveloped(event, scope))

    async def _append(self, event: DurableEvent, scope: Scope) -> EventRecord:
        # Once it is on disk it is a fact: whoever is cancelled meanwhile, the states and the clients hear of it.
        (record,) = await shielded(self._store.append(self.session_id, [self._enveloped(event, scope)]))
        self.replay(record)
        self._bus.publish(record)
        return record

    def _enveloped(self, event: AnyEvent, scope: Scope) -> EventRecord:
        return EventRecord(
            seq=None,
            at=now(),
            session_id=self.session_id,
            turn_id=scope.turn_id,
            run_id=scope.run_id,
            agent_id=scope.agent_id,
            event=event,
        )
