"""Copies of a log within its store, with what was open in the original closed; what comes from outside: importing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from pydantic_core import from_json, to_json

from teamwright.protocol.decisions import BudgetDecision
from teamwright.protocol.events import (
    AgentStopped,
    AnyEvent,
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    ItemFinished,
    ItemStarted,
    RunFinished,
    RunStarted,
    SessionCompacted,
    SessionUpdated,
    TurnFinished,
    TurnQueued,
    TurnStarted,
)
from teamwright.protocol.ids import RunId, SessionId
from teamwright.protocol.items import Item, ToolCall
from teamwright.protocol.records import EventRecord, read_record
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import SessionSummary
from teamwright.store.rows import Row, row_of, summary_in


@dataclass(frozen=True, slots=True)
class LogCopy:
    """What a new session begins with."""

    rows: tuple[Row, ...]
    summary: SessionSummary


def forked(log: Sequence[bytes], source: SessionSummary, target: SessionId, at: datetime) -> LogCopy:
    """Up to the last point where no turn was under way; as a session that is new at this moment."""
    read = [_Copied.of(body, target, seq) for seq, body in enumerate(log, 1)]
    copies = _without_grants(read[: last_quiet_seq(_records(read))], target)
    records = _records(copies)
    summary = last_summary(records) or source
    # A person lets a session go on by itself, or lets it spend more: that one, and not its copies.
    modes = summary.modes.model_copy(update={"autonomy": "hitl"})
    summary = summary.model_copy(update={"session_id": target, "created_at": at, "modes": modes})
    return settled_copy((copy.row() for copy in copies), closing_records(records, at), summary, at)


@dataclass(frozen=True, slots=True)
class _Copied:
    """The JSON is kept as it is but for the address: what this version does not know in it may be a newer one's."""

    seq: int
    body: str
    record: EventRecord | None

    @classmethod
    def of(cls, body: str | bytes, target: SessionId, seq: int) -> "_Copied":
        text = readdressed(body, target, seq)
        record = read_record(text)
        return cls(seq, text, record if isinstance(record, EventRecord) else None)

    def row(self) -> Row:
        return Row(self.body) if self.record is None else row_of(self.record, self.body)


def _without_grants(copies: Sequence[_Copied], target: SessionId) -> list[_Copied]:
    """What a person has let a session spend beyond its budget is not granted to its copies."""
    asked = {
        copy.record.event.decision.decision_id
        for copy in copies
        if copy.record is not None
        and isinstance(copy.record.event, DecisionRequested)
        and isinstance(copy.record.event.decision, BudgetDecision)
        and copy.record.event.decision.detail.of == "session"
    }
    if not asked:
        return list(copies)
    kept = [copy for copy in copies if copy.record is None or _decision_in(copy.record.event) not in asked]
    places = {copy.seq: seq for seq, copy in enumerate(kept, 1)}
    return [_Copied.of(_with_places(copy.body, places), target, seq) for seq, copy in enumerate(kept, 1)]


def _decision_in(event: AnyEvent) -> str | None:
    match event:
        case DecisionRequested(decision=decision):
            return decision.decision_id
        case DecisionResolved(decision_id=decision_id):
            return decision_id
        case _:
            return None


def _with_places(body: str, places: Mapping[int, int]) -> str:
    """A summary tells how far in the log it reaches, where records are counted anew."""
    record = read_record(body)
    if not isinstance(record, EventRecord) or not isinstance(record.event, SessionCompacted):
        return body
    up_to = max((new for old, new in places.items() if old <= record.event.up_to_seq), default=0)
    compacted = record.event.model_copy(update={"up_to_seq": up_to})
    return record.model_copy(update={"event": compacted}).to_json()


def readdressed(body: str | bytes, target: SessionId, seq: int) -> str:
    try:
        data = from_json(body)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        return body if isinstance(body, str) else body.decode(errors="replace")
    data["sessionId"], data["seq"] = target, seq
    event = cast("dict[str, Any]", data).get("event")
    session = cast("dict[str, Any]", event).get("session") if isinstance(event, dict) else None
    if isinstance(session, dict):
        session["sessionId"] = target
    return to_json(data).decode()


def settled_copy(rows: Iterable[Row], closing: Sequence[EventRecord], summary: SessionSummary, at: datetime) -> LogCopy:
    """With what closes it, and its line in the browser as it then is."""
    copied = tuple(rows)
    summary = summary.model_copy(update={"updated_at": at, "pending_decisions": 0, "busy": False})
    described = EventRecord(seq=None, at=at, session_id=summary.session_id, event=SessionUpdated(session=summary))
    added = [
        record.model_copy(update={"seq": seq}) for seq, record in enumerate((*closing, described), len(copied) + 1)
    ]
    return LogCopy((*copied, *map(row_of, added)), summary)


def _records(copies: Iterable[_Copied]) -> list[EventRecord]:
    return [copy.record for copy in copies if copy.record is not None]


def last_summary(records: Sequence[EventRecord]) -> SessionSummary | None:
    return next((found for record in reversed(records) if (found := summary_in(record.event))), None)


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
