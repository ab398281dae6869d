"""What is taken of a log that came from outside: what was said, and what came of it.

The text may be anybody's. Of what would have power here nothing is taken: no modes, approvals, budgets, decisions, open
work. So a record is read by its type and written anew from what is known of it; what this version does not know is left
out, because nobody can say what a later one would make of it.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, cast

from pydantic import ValidationError
from pydantic_core import from_json

from teamwright.engine.session.reduce import fold
from teamwright.engine.session.state import SessionState
from teamwright.protocol.changes import SettledFile
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.events import (
    EVENT_CLASSES,
    BudgetReached,
    CancelRequested,
    ChangesProposed,
    ChangesSettled,
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    FindingDismissed,
    FindingReported,
    HiddenTextFound,
    ItemFinished,
    ItemStarted,
    RunAnalyzed,
    RunFinished,
    RunStarted,
    SessionCompacted,
    SessionCreated,
    SessionUpdated,
    TasksUpdated,
    TimerElapsed,
    TurnFinished,
    TurnQueued,
    TurnStarted,
)
from teamwright.protocol.ids import ItemId, RunId, SessionId, TurnId
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import SessionSummary
from teamwright.store.copying import LogCopy, closing_records, last_summary, readdressed, settled_copy
from teamwright.store.rows import row_of

_MOST_RECORDS: Final = 500_000
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC)
_NOT_HERE: Final = "it was not applied where this session comes from, and cannot be here"


def imported(log: Sequence[str], target: SessionId, at: datetime) -> LogCopy:
    """Raises BadParams for what is no log. Only if it leaves something open, records are added."""
    if len(log) > _MOST_RECORDS:
        raise not_a_log(f"it has more than {_MOST_RECORDS:,} records")
    read = [_read(body, target, number) for number, body in enumerate(log, 1)]
    if not read or read[0] is None or not isinstance(read[0].event, SessionCreated):
        raise not_a_log("its first record must be a session.created")
    records = _RecordSieve(target).taken(read)
    summary = last_summary(records) or read[0].event.session
    closing = [*closing_records(records, at), *_undecided(records, at)]
    _require_rest(fold([*records, *closing], SessionState(target)))
    rows = tuple(map(row_of, records))
    if closing:
        return settled_copy(rows, closing, summary, at)
    return LogCopy(rows, summary.model_copy(update={"pending_decisions": 0, "busy": False}))


def not_a_log(reason: str) -> BadParams:
    return BadParams([FieldError(path="text", message=f"this is not an exported session: {reason}")])


def _read(body: str, target: SessionId, number: int) -> EventRecord | None:
    """None for what is no record, or of a kind that is not known here."""
    try:
        data: object = from_json(readdressed(body, target, number), allow_inf_nan=False)
    except ValueError:
        return None
    event = cast("dict[str, Any]", data).get("event") if isinstance(data, dict) else None
    kind = cast("dict[str, Any]", event).get("type") if isinstance(event, dict) else None
    if not isinstance(kind, str) or kind not in EVENT_CLASSES:
        return None
    try:
        record = EventRecord.model_validate(data, extra="ignore")
    except ValidationError as fault:
        place = ".".join(str(part) for part in fault.errors(include_url=False, include_input=False)[0]["loc"])
        raise not_a_log(f"record {number} is damaged at {place}") from None
    if not record.event.durable:
        raise not_a_log(f"record {number} is of a kind that is never stored")
    if not _EARLIEST <= record.at <= _LATEST:
        raise not_a_log(f"record {number} is of no time that can be")
    return record


class _RecordSieve:
    """Takes records in their order, as far as each fits to what came before it: an end ends what has begun, once."""

    def __init__(self, target: SessionId) -> None:
        self._target = target
        self._open: set[TurnId | RunId] = set()
        self._ended: set[TurnId | RunId] = set()
        self._items: set[ItemId] = set()
        # By the place in the log that it comes from: how many records were taken up to there.
        self._taken_up_to: list[int] = [0]
        self._has_begun = False

    def taken(self, read: Iterable[EventRecord | None]) -> list[EventRecord]:
        records: list[EventRecord] = []
        for record in read:
            event = None if record is None else self._event(record)
            if record is not None and event is not None:
                update = {"seq": len(records) + 1, "session_id": self._target, "event": event}
                records.append(record.model_copy(update=update))
            self._taken_up_to.append(len(records))
        return records

    def _event(self, record: EventRecord) -> DurableEvent | None:
        """As it is taken; None: it is not."""
        match record.event:
            case DecisionRequested() | DecisionResolved() | BudgetReached() | CancelRequested() | TimerElapsed():
                return None
            case HiddenTextFound():
                # About files elsewhere; here it would keep somebody from being told.
                return None
            case SessionCreated() | SessionUpdated() | SessionCompacted() as event:
                return self._told_of_session(event)
            case TurnQueued() | TurnStarted() as event:
                return self._turn(record, event)
            case RunStarted() as event:
                return self._run(record, event)
            case FindingReported() as event:
                # A command that somebody else's log names is nobody's to run here.
                return event.model_copy(update={"reproduction": None}) if self._fits(record, event) else None
            case event:
                return event if isinstance(event, DurableEvent) and self._fits(record, event) else None

    def _fits(self, record: EventRecord, event: DurableEvent) -> bool:
        match event:
            case TurnFinished():
                return self._ends(record.turn_id)
            case RunFinished():
                return self._ends(record.run_id)
            case FindingDismissed() | TasksUpdated():
                return True
            case ChangesSettled() | RunAnalyzed():
                return record.run_id in self._open or record.run_id in self._ended
            case ItemStarted(item=item) | ItemFinished(item=item) if record.run_id is None:
                return self._item(event, item.item_id)
            case _:
                return record.run_id in self._open

    def _told_of_session(self, event: SessionCreated | SessionUpdated | SessionCompacted) -> DurableEvent | None:
        if isinstance(event, SessionCompacted):
            up_to = min(max(event.up_to_seq, 0), len(self._taken_up_to) - 1)
            return event.model_copy(update={"up_to_seq": self._taken_up_to[up_to]})
        if isinstance(event, SessionCreated) and self._has_begun:
            return None
        self._has_begun = True
        return event.model_copy(update={"session": self._summary(event.session)})

    def _summary(self, session: SessionSummary) -> SessionSummary:
        if not all(_EARLIEST <= time <= _LATEST for time in (session.created_at, session.updated_at)):
            raise not_a_log("it is of no time that can be")
        return session.model_copy(update={"modes": Modes()})

    def _turn(self, record: EventRecord, event: TurnQueued | TurnStarted) -> DurableEvent | None:
        if record.turn_id is None or record.turn_id in self._ended:
            return None
        self._open.add(record.turn_id)
        return event.model_copy(update={"modes": None}) if isinstance(event, TurnQueued) else event

    def _run(self, record: EventRecord, event: RunStarted) -> DurableEvent | None:
        run_id, parent = record.run_id, event.parent_run_id
        known = {*self._open, *self._ended}
        if run_id is None or run_id in known:
            return None
        self._open.add(run_id)
        spec = event.spec.model_copy(update={"budget": None})
        known_parent = parent if parent in known else None
        given = {"autonomy": "hitl", "apply_changes": "ask", "execute_plan": "ask", "parent_run_id": known_parent}
        return event.model_copy(update={"spec": spec, **given})

    def _ends(self, thing: TurnId | RunId | None) -> bool:
        if thing is None or thing not in self._open:
            return False
        self._open.remove(thing)
        self._ended.add(thing)
        return True

    def _item(self, event: ItemStarted | ItemFinished, item_id: ItemId) -> bool:
        """One that is over does not begin again."""
        if isinstance(event, ItemFinished):
            self._items.add(item_id)
            return True
        return item_id not in self._items


def _undecided(records: Sequence[EventRecord], at: datetime) -> list[EventRecord]:
    """Of changes that somebody could still have wanted there: here are no files to change."""
    left: dict[RunId, dict[str, EventRecord]] = {}
    for record in records:
        if record.run_id is None:
            continue
        of_run = left.setdefault(record.run_id, {})
        match record.event:
            case ChangesProposed(changes=changes):
                of_run |= {change.uri: record for change in changes}
            case ChangesSettled(settled=settled):
                for file in settled:
                    if file.outcome != "conflicted":
                        of_run.pop(file.uri, None)
            case _:
                pass
    return [
        next(iter(files.values())).model_copy(update={"seq": None, "at": at, "event": _refused(files)})
        for files in left.values()
        if files
    ]


def _refused(uris: Iterable[str]) -> ChangesSettled:
    return ChangesSettled(settled=tuple(SettledFile(uri=uri, outcome="rejected", reason=_NOT_HERE) for uri in uris))


def _require_rest(state: SessionState) -> None:
    """By the engine that would go on with it: nothing is open, whatever the log says of its ends."""
    if state.is_busy or state.decisions.open:
        raise not_a_log("something in it has no end")
