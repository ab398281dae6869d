"""What a log leaves open at its end, closed as cancelled: a copy of it waits for nobody and runs nothing."""

from collections.abc import Iterable, Sequence
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
    opened: dict[str, EventRecord] = {}
    for record in records:
        match record.event:
            case ItemStarted(item=item):
                opened[item.item_id] = record
            case ItemFinished(item=item):
                opened.pop(item.item_id, None)
            case DecisionRequested(decision=decision):
                opened[decision.decision_id] = record
            case DecisionResolved(decision_id=decision_id):
                opened.pop(decision_id, None)
            case RunStarted() if record.run_id:
                opened[record.run_id] = record
            case RunFinished() if record.run_id:
                opened.pop(record.run_id, None)
            case TurnQueued() | TurnStarted() if record.turn_id:
                opened[record.turn_id] = record
            case TurnFinished() if record.turn_id:
                opened.pop(record.turn_id, None)
            case _:
                pass
    closed = ((record, _closing(record, records)) for record in reversed(opened.values()))
    return [record.model_copy(update={"seq": None, "at": at, "event": event}) for record, event in closed if event]


def _closing(opening: EventRecord, records: Sequence[EventRecord]) -> DurableEvent | None:
    match opening.event:
        case ItemStarted(item=item):
            return ItemFinished(item=_ended(item))
        case DecisionRequested(decision=decision):
            return DecisionResolved(decision_id=decision.decision_id, choice="cancel", by="cancelled")
        case RunStarted():
            return RunFinished(outcome="cancelled", usage=_usage(opening.run_id, records))
        case TurnQueued() | TurnStarted():
            return TurnFinished(outcome="cancelled", usage=Usage())
        case _:
            return None


def _ended(item: Item) -> Item:
    return item.model_copy(update={"status": "cancelled"}) if isinstance(item, ToolCall) else item


def _usage(run_id: RunId | None, records: Iterable[EventRecord]) -> Usage:
    stopped = (each.event.usage for each in records if each.run_id == run_id and isinstance(each.event, AgentStopped))
    return sum(stopped, Usage())
