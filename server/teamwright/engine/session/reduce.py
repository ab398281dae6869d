"""From facts to a state: total and pure. Each part hears of every record and minds its own."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

from teamwright.engine.session.reduce_runs import reduce_runs
from teamwright.engine.session.reduce_turns import reduce_turns
from teamwright.engine.session.standing import is_at_work
from teamwright.engine.session.state import (
    Account,
    Decided,
    DecisionLog,
    Heading,
    OpenDecision,
    PlacedItem,
    SessionState,
    Talk,
    WorkTime,
)
from teamwright.engine.spending import Spending
from teamwright.protocol.decisions import BudgetDecision, Resolution
from teamwright.protocol.events import AnyEvent
from teamwright.protocol.ids import FindingId, ItemId
from teamwright.protocol.items import Item
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import SessionSummary

ITEMS_IN_VIEW: Final = 200
# What changes how a session looks in the browser.
_LISTED: Final = frozenset(
    {
        "turn.started",
        "turn.finished",
        "run.started",
        "run.finished",
        "decision.requested",
        "decision.resolved",
        "session.compacted",
    }
)
# Nothing else sets a session to work, or lets it rest.
_TURNING_POINTS: Final = frozenset(
    {
        "turn.started",
        "turn.finished",
        "run.started",
        "run.finished",
        "decision.requested",
        "decision.resolved",
    }
)


def fold(records: Iterable[EventRecord], state: SessionState) -> SessionState:
    talk = _TalkDraft(state.talk)
    for record in records:
        if record.event.durable:
            state = _advanced(state, record, talk)
    return state._replace(talk=talk.finished())


def reduce(state: SessionState, record: EventRecord) -> SessionState:
    return fold((record,), state)


def taken_over(state: SessionState) -> SessionState:
    """Whoever wrote the log so far is gone, and we are its writer: what was at work is so no longer."""
    return state._replace(gone_up_to=state.last_seq)


def described(state: SessionState, told: SessionSummary) -> SessionState:
    """Of a session of whose log nothing can be read: what the list of sessions says of it is all there is."""
    heading = Heading(told.title, told.project, told.modes, told.created_at)
    return state._replace(heading=heading, last_fact_at=told.updated_at)


def _advanced(state: SessionState, record: EventRecord, talk: "_TalkDraft") -> SessionState:
    event = record.event
    turns = reduce_turns(state.turns, record, state.decisions)
    runs = reduce_runs(state.runs, record, state.decisions)
    last_seq = record.seq or state.last_seq
    match event.type:
        case "item.started" | "item.finished":
            # Most of a log is items, and they concern nothing else.
            talk.take(event.item, record)
            return state._replace(last_seq=last_seq, last_fact_at=record.at, turns=turns, runs=runs)
        case "session.compacted":
            talk.compacted_up_to = event.up_to_seq
        case _:
            pass
    advanced = state._replace(
        last_seq=last_seq,
        last_fact_at=record.at,
        heading=_heading(state.heading, record),
        turns=turns,
        runs=runs,
        decisions=_decisions(state.decisions, record),
        dismissed=_dismissed(state.dismissed, event),
        account=_account(state.account, event, state.decisions),
        tasks=event.tasks if event.type == "tasks.updated" else state.tasks,
    )
    return _with_work_time(advanced, record, state.last_fact_at)


class _TalkDraft:
    """What is said while a log is folded: the latest items are put down once, however many there were before them."""

    def __init__(self, talk: Talk) -> None:
        self._before = talk
        self._items: dict[ItemId, PlacedItem] | None = None
        self._last_text = talk.last_text
        self._messages = talk.messages
        self.compacted_up_to = talk.compacted_up_to

    def take(self, item: Item, record: EventRecord) -> None:
        items = self._items
        if items is None:
            items = self._items = dict(self._before.items)
        items[item.item_id] = PlacedItem(item, record.seq or 0, record.scope)
        if len(items) > ITEMS_IN_VIEW:
            del items[next(iter(items))]
        if item.kind == "reasoning" or item.kind == "tool_call":  # noqa: PLR1714, a set would not tell the types apart
            return
        if item.text and not item.text.isspace():
            self._last_text = item.text
        if item.kind != "presentation" and record.event.type == "item.finished" and record.run_id is None:
            self._messages += not item.discarded

    def finished(self) -> Talk:
        items = self._before.items if self._items is None else self._items
        return Talk(items, self._last_text, self._messages, self.compacted_up_to)


def _heading(heading: Heading, record: EventRecord) -> Heading:
    event = record.event
    match event.type:
        case "session.created" | "session.updated":
            told = event.session
            return Heading(told.title, told.project, told.modes, told.created_at)
        case kind if kind in _LISTED and not heading.is_stale:
            return replace(heading, is_stale=True, created_at=heading.created_at or record.at)
        case _:
            return heading


def _decisions(log: DecisionLog, record: EventRecord) -> DecisionLog:
    event = record.event
    if event.type == "decision.requested":
        asked = OpenDecision(event.decision, record.scope, record.seq or 0)
        return replace(log, open={**log.open, event.decision.decision_id: asked})
    if event.type != "decision.resolved":
        return log
    was_open = log.open.get(event.decision_id)
    if was_open is None:
        return log
    resolution = Resolution(
        decision_id=event.decision_id, choice=event.choice, by=event.by, edits=event.edits, text=event.text
    )
    decided = Decided(was_open.decision.kind, was_open.decision.title, was_open.scope, resolution)
    still_open = {key: each for key, each in log.open.items() if key != event.decision_id}
    return DecisionLog(still_open, {**log.decided, event.decision_id: decided})


def _dismissed(dismissed: frozenset[FindingId], event: AnyEvent) -> frozenset[FindingId]:
    return dismissed.union(event.finding_ids) if event.type == "finding.dismissed" else dismissed


def _account(account: Account, event: AnyEvent, decisions: DecisionLog) -> Account:
    match event.type:
        case "turn.finished" | "run.finished":
            return replace(account, settled=account.settled + Spending(event.usage, event.cost_usd))
        case "session.compacted" | "run.analyzed" if event.usage is not None:
            return replace(account, settled=account.settled + Spending(event.usage, event.cost_usd))
        case "budget.reached" if event.session_limit is not None:
            return replace(account, reached_at=event.spent)
        case "decision.requested" if isinstance(event.decision, BudgetDecision):
            detail = event.decision.detail
            return replace(account, reached_at=detail.spent) if detail.of == "session" else account
        case "decision.resolved" if event.choice == "approve":
            asked = decisions.open.get(event.decision_id)
            is_about_session = (
                asked is not None
                and isinstance(asked.decision, BudgetDecision)
                and asked.decision.detail.of == "session"
            )
            return replace(account, granted=account.reached_at) if is_about_session else account
        case _:
            return account


def _with_work_time(state: SessionState, record: EventRecord, last_fact_at: datetime | None) -> SessionState:
    event = record.event
    if event.type not in _TURNING_POINTS:
        return state
    time = state.work_time
    # Between the last fact of one server and the question of the next nobody was at work.
    is_taken_up = event.type == "decision.requested" and event.decision.kind == "resume"
    until = last_fact_at if is_taken_up and last_fact_at is not None else record.at
    counted = time.counted if time.since is None else time.counted + (until - time.since)
    return state._replace(work_time=WorkTime(counted, record.at if is_at_work(state) else None))
