"""A session's log as it grows. For every durable event, in this order: on disk, folded into the states, published."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, TypeVar

import anyio

from teamwright.protocol.events import AnyEvent, DurableEvent, TransientEvent
from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord, Scope
from teamwright.runtime.bus import Bus
from teamwright.runtime.identity import now
from teamwright.runtime.shielding import shielded
from teamwright.store.port import EventStore

T = TypeVar("T")
Fold = Callable[[EventRecord], None]
# Sees a record and says how it is published.
Onlooker = Callable[[EventRecord], EventRecord]


@dataclass(frozen=True, slots=True)
class Fact:
    """An event on its way into the log, with what it belongs to."""

    event: DurableEvent
    scope: Scope


# Asked when its turn has come, with the records that go to the disk ahead of its own on the same trip: as good as facts
# to it, though no state has heard of them. Answers with the facts that follow from its look, which make sense only
# together, and with a word for whoever waits; raises where there is nothing to record.
Judge = Callable[[Sequence[EventRecord]], tuple[Sequence[Fact], T]]


@dataclass(slots=True, eq=False)
class _Batch:
    """Facts that the log has together or not at all; it has their records once they are there."""

    facts: Sequence[Fact]
    records: tuple[EventRecord, ...] = ()


@dataclass(slots=True, eq=False)
class _Case:
    judge: Judge[Any]
    is_on_its_way: bool = False
    is_settled: bool = False
    word: Any = None


class Append(Protocol):
    def __call__(self, event: DurableEvent, scope: Scope, *with_it: DurableEvent) -> Awaitable[EventRecord]:
        """`with_it` makes sense only together with the event: the log has all of them or none."""
        ...


class Journal:
    def __init__(self, session_id: SessionId, store: EventStore, bus: Bus) -> None:
        self.session_id = session_id
        self._store = store
        self._bus = bus
        self._turnstile = anyio.Lock(fast_acquire=True)
        self._waiting: list[_Batch] = []
        self._cases: list[_Case] = []
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
        on its way. What must not be written any more is judged: `judge_and_append`.
        """
        return (await self.append_together((event,), scope))[0]

    async def append_together(self, events: tuple[DurableEvent, ...], scope: Scope) -> tuple[EventRecord, ...]:
        """For facts that make sense only together: whenever the process ends, the log has all of them or none."""
        batch = _Batch([Fact(event, scope) for event in events])
        self._waiting.append(batch)
        return await shielded(self._in_turn(batch))

    async def _in_turn(self, batch: _Batch) -> tuple[EventRecord, ...]:
        async with self._turnstile:
            if not batch.records:
                await self._write([batch])
            return batch.records

    async def judge_and_append(self, judge: Judge[T]) -> T:
        """Nothing becomes a fact between the look and the word.

        Those who come at the same moment are judged one after the other, each as if what those before it said were
        facts already, and go to the disk on one trip. Whoever is cancelled while it waits for its turn has said
        nothing.
        """
        own = _Case(judge)
        self._cases.append(own)
        try:
            async with self._turnstile:
                if not own.is_settled:
                    await self._settle(own)
        finally:
            if own.is_on_its_way:
                # With another's, who writes it: even the cancelled know afterwards whether it is a fact.
                with anyio.CancelScope(shield=True):
                    async with self._turnstile:
                        pass
            if own in self._cases:
                self._cases.remove(own)
        return own.word

    async def _settle(self, own: _Case) -> None:
        cases = tuple(self._cases)
        try:
            await self._judge_all(cases)
        except Exception:
            # Something in it is refused or cannot be written. What is one's fault is not the others'.
            if cases == (own,):
                raise
            await self._judge_all((own,))

    async def _judge_all(self, cases: Sequence[_Case]) -> None:
        ahead, batches, words = list[EventRecord](), list[_Batch](), list[Any]()
        for case in cases:
            facts, word = case.judge(ahead)
            words.append(word)
            if facts:
                batches.append(_Batch(facts))
                ahead += (self.enveloped(fact.event, fact.scope) for fact in facts)
        try:
            for case in cases:
                case.is_on_its_way = True
            if batches:
                await self._write(batches)
        finally:
            for case in cases:
                case.is_on_its_way = False
        for case, word in zip(cases, words, strict=True):
            case.is_settled, case.word = True, word

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

    async def _append_now(self, event: DurableEvent, scope: Scope, *with_it: DurableEvent) -> EventRecord:
        batch = _Batch([Fact(each, scope) for each in (event, *with_it)])
        await self._write([batch])
        return batch.records[0]

    async def _write(self, first: Sequence[_Batch]) -> None:
        """Before all that waits, which goes along."""
        behind = [each for each in self._waiting if each not in first]
        self._waiting.clear()
        try:
            await self._commit([*first, *behind])
        except ValueError:
            # Something in it cannot be written. Each is tried by itself now: what is one's fault is not the others'.
            if not behind:
                raise
            await self._commit(first)

    async def _commit(self, batches: Sequence[_Batch]) -> None:
        # Once it is on disk it is a fact: whoever is cancelled meanwhile, the states and the clients hear of it.
        enveloped = [self.enveloped(fact.event, fact.scope) for batch in batches for fact in batch.facts]
        records = iter(await shielded(self._store.append(self.session_id, enveloped)))
        for batch in batches:
            batch.records = tuple(islice(records, len(batch.facts)))
            for record in batch.records:
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
