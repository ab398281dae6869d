"""What a log leaves open at its end, closed as cancelled: a copy of it waits for nobody and runs nothing."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from quorate.protocol.events import (
    AgentStopped,
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    ItemFinished,
    ItemStarted,
    RunFinished,
    RunStarted,
    TurnFinished,
    TurnQueued,
    TurnStarted,
)
from quorate.protocol.ids import RunId
from quorate.protocol.items import Item, ToolCall
from quorate.protocol.records import EventRecord
from quorate.protocol.usage import Usage


def last_quiet_seq(records: Iterable[EventRecord]) -> int:
    """The last seq at which no turn is under way and none was just asked for."""
    under_way: set[str | None] = set()
    quiet = 0
    for record in records:
        match record.event:
            case TurnStarted():
                under_way.add(record.turn_id)
            case TurnFinished():
                under_way.discard(record.turn_id)
            case _:
                pass
        if not under_way and not isinstance(record.event, TurnQueued) and record.seq is not None:
            quiet = record.seq
    return quiet


def closing_records(records: Sequence[EventRecord], at: datetime) -> list[EventRecord]:
    """In the order in which they would have ended: what is inside before what is around it. Not yet numbered."""
    opened: dict[str, tuple[EventRecord, DurableEvent]] = {}
    for record in records:
        for thing, closing in _opens(record):
            opened[thing] = (record, closing)
        if (thing := _closes(record)) is not None:
            opened.pop(thing, None)
    return [
        record.model_copy(update={"seq": None, "at": at, "event": _with_usage(closing, record.run_id, records)})
        for record, closing in reversed(opened.values())
    ]


def _opens(record: EventRecord) -> Iterator[tuple[str, DurableEvent]]:
    """What begins with the record, and how it would be closed."""
    match record.event:
        case ItemStarted(item=item):
            yield item.item_id, ItemFinished(item=_ended(item))
        case DecisionRequested(decision=decision):
            # A run begins with the question whether it may.
            if decision.kind == "run" and record.run_id:
                yield record.run_id, RunFinished(outcome="cancelled", usage=Usage())
            cancelled = DecisionResolved(decision_id=decision.decision_id, choice="cancel", by="cancelled")
            yield decision.decision_id, cancelled
        case RunStarted() if record.run_id:
            yield record.run_id, RunFinished(outcome="cancelled", usage=Usage())
        case TurnQueued() | TurnStarted() if record.turn_id:
            yield record.turn_id, TurnFinished(outcome="cancelled", usage=Usage())
        case _:
            return


def _closes(record: EventRecord) -> str | None:
    match record.event:
        case ItemFinished(item=item):
            return item.item_id
        case DecisionResolved(decision_id=decision_id):
            return decision_id
        case RunFinished():
            return record.run_id
        case TurnFinished():
            return record.turn_id
        case _:
            return None


def _ended(item: Item) -> Item:
    return item.model_copy(update={"status": "cancelled"}) if isinstance(item, ToolCall) else item


def _with_usage(closing: DurableEvent, run_id: RunId | None, records: Iterable[EventRecord]) -> DurableEvent:
    if not isinstance(closing, RunFinished):
        return closing
    stopped = (each.event.usage for each in records if each.run_id == run_id and isinstance(each.event, AgentStopped))
    return closing.model_copy(update={"usage": sum(stopped, Usage())})
