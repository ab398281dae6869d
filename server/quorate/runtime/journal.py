"""A session's log as it grows. For every durable event, in this order: on disk, folded into the states, published."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

import anyio

from quorate.protocol.events import AnyEvent, DurableEvent, TransientEvent
from quorate.protocol.ids import AgentId, RunId, SessionId, TurnId
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Bus
from quorate.runtime.identity import now
from quorate.runtime.shielding import shielded
from quorate.store.port import EventStore

Fold = Callable[[EventRecord], None]
# Sees a record and says how it is published.
Onlooker = Callable[[EventRecord], EventRecord]


@dataclass(frozen=True, slots=True)
class Scope:
    """What an event belongs to, besides its session."""

    turn_id: TurnId | None = None
    run_id: RunId | None = None
    agent_id: AgentId | None = None

    def of_agent(self, agent_id: AgentId) -> "Scope":
        return replace(self, agent_id=agent_id)


@dataclass(slots=True, eq=False)
class Entry:
    """Events on their way into the log, all of them or none; it has their records once they are there."""

    events: tuple[DurableEvent, ...]
    scope: Scope
    records: tuple[EventRecord, ...] = ()


class Append(Protocol):
    def __call__(
        self, event: DurableEvent, scope: Scope, *with_it: DurableEvent, behind: Sequence[Entry] = ()
    ) -> Awaitable[EventRecord]:
        """`with_it` makes sense only together with the event: the log has all of them or none.

        `behind`: what goes to the disk on the same trip.
        """
        ...


class Journal:
    def __init__(self, session_id: SessionId, store: EventStore, bus: Bus) -> None:
        self.session_id = session_id
        self._store = store
        self._bus = bus
        self._turnstile = anyio.Lock(fast_acquire=True)
        self._waiting: list[Entry] = []
        self._noted: list[Entry] = []
        self._folds: list[Fold] = []
        self._onlookers: list[Onlooker] = []

    def fold_into(self, fold: Fold) -> None:
        """From now on every record reaches this state before any client sees it."""
        self._folds.append(fold)

    def stop_folding(self, fold: Fold) -> None:
        self._folds.remove(fold)

    def show_to(self, onlooker: Onlooker) -> None:
        """From now on it sees, and may complete, what is only of the moment before any client sees it."""
        self._onlookers.append(onlooker)

    @asynccontextmanager
    async def undisturbed(self) -> AsyncGenerator[Append]:
        """For what must be judged and recorded as one: nothing becomes a fact between the look and the word."""
        async with self._turnstile:
            yield self._append_now

    async def append(self, event: DurableEvent, scope: Scope) -> EventRecord:
        """Those who wait for the disk at the same time go there together.

        Whoever is cancelled while it waits has its event written all the same: nobody can tell whether it was already
        on its way. What must not be written any more is judged, and so belongs into `undisturbed`.
        """
        return (await self.append_together((event,), scope))[0]

    async def append_together(self, events: tuple[DurableEvent, ...], scope: Scope) -> tuple[EventRecord, ...]:
        """For facts that make sense only together: whenever the process ends, the log has all of them or none."""
        entry = Entry(events, scope)
        self._waiting.append(entry)
        return await shielded(self._in_turn(entry))

    async def _in_turn(self, entry: Entry) -> tuple[EventRecord, ...]:
        async with self._turnstile:
            if not entry.records:
                await self._write(entry)
            return entry.records

    def note(self, event: DurableEvent, scope: Scope) -> None:
        """For what another fact follows at once: it goes to the disk right ahead of the next one, not by itself."""
        self._noted.append(Entry((event,), scope))

    async def write_noted(self) -> None:
        """Also where the fact that was to follow will not come any more."""
        if self._noted:
            await shielded(self._write_noted())

    async def _write_noted(self) -> None:
        async with self._turnstile:
            if self._noted:
                await self._write()

    def replay(self, record: EventRecord) -> None:
        """A record of old: the states hear of it, and nobody else."""
        for fold in tuple(self._folds):
            fold(record)

    def announce(self, event: TransientEvent, scope: Scope) -> None:
        """For what is only of the moment and leaves no trace in the log."""
        record = self.enveloped(event, scope)
        for onlooker in self._onlookers:
            record = onlooker(record)
        self._bus.publish(record)

    async def _append_now(
        self, event: DurableEvent, scope: Scope, *with_it: DurableEvent, behind: Sequence[Entry] = ()
    ) -> EventRecord:
        entry = Entry((event, *with_it), scope)
        await self._write(entry, *behind)
        return entry.records[0]

    async def _write(self, *entries: Entry) -> None:
        """Behind what was noted, and before all that waits."""
        noted = tuple(self._noted)
        first = [*noted, *entries]
        behind = [each for each in self._waiting if each not in entries]
        self._waiting.clear()
        try:
            await self._commit([*first, *behind])
        except ValueError:
            # Something in it cannot be written. Each is tried by itself now: what is one's fault is not the others'.
            del self._noted[: len(noted)]
            if not behind:
                raise
            await self._commit(first)
        else:
            del self._noted[: len(noted)]

    async def _commit(self, batch: Sequence[Entry]) -> None:
        # Once it is on disk it is a fact: whoever is cancelled meanwhile, the states and the clients hear of it.
        enveloped = [self.enveloped(event, entry.scope) for entry in batch for event in entry.events]
        records = iter(await shielded(self._store.append(self.session_id, enveloped)))
        for entry in batch:
            entry.records = tuple(islice(records, len(entry.events)))
            for record in entry.records:
                self.replay(record)
                self._bus.publish(record)

    def enveloped(self, event: AnyEvent, scope: Scope) -> EventRecord:
        """As it would stand in the log, but for its place there."""
        return EventRecord(
            seq=None,
            at=now(),
            session_id=self.session_id,
            turn_id=scope.turn_id,
            run_id=scope.run_id,
            agent_id=scope.agent_id,
            event=event,
        )
