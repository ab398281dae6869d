"""The line of turns: what each has said and done, and what it has open."""

from typing import Any

from teamwright.engine.session.state import NO_WORK, DecisionLog, PlacedItem, TurnQueue, TurnState
from teamwright.engine.spending import Spending
from teamwright.protocol.decisions import ResumeDecision
from teamwright.protocol.events import DecisionResolved, ItemFinished, ItemStarted
from teamwright.protocol.ids import ItemId, RunId, TurnId
from teamwright.protocol.records import EventRecord


def reduce_turns(queue: TurnQueue, record: EventRecord, decisions: DecisionLog) -> TurnQueue:
    """`decisions` as they stood before the record."""
    event, turn_id = record.event, record.turn_id
    if event.type == "decision.resolved":
        return _answered(queue, record, event, decisions)
    if turn_id is None:
        return queue
    match event.type:
        case "turn.queued":
            turn = TurnState(turn_id, event.text, event.attachments, event.modes)
            return TurnQueue({**queue.open, turn_id: turn}, queue.begun)
        case "turn.started":
            queued = queue.open.get(turn_id) or TurnState(turn_id, event.text)
            started = queued._replace(worked_on=record.seq or 0)
            return TurnQueue({**queue.open, turn_id: started}, queue.begun + 1)
        case "turn.finished":
            return TurnQueue({key: turn for key, turn in queue.open.items() if key != turn_id}, queue.begun)
        case _:
            turn = queue.open.get(turn_id)
            if turn is None:
                return queue
            is_work = turn.has_started and event.type not in NO_WORK
            changes = _changes(turn, record)
            if is_work:
                changes["worked_on"] = record.seq or turn.worked_on
            return TurnQueue({**queue.open, turn_id: turn._replace(**changes)}, queue.begun) if changes else queue


def _answered(queue: TurnQueue, record: EventRecord, event: DecisionResolved, decisions: DecisionLog) -> TurnQueue:
    """Whoever waited for a person goes on; whoever was interrupted goes on, or is to end."""
    asked = decisions.open.get(event.decision_id)
    if asked is None:
        return queue
    decision = asked.decision
    # A run of the turn that is not to go on ends by itself, and the turn goes on with what there is of it.
    is_own = asked.scope.run_id is None and decision.kind in {"resume", "budget"}
    is_refused = is_own and event.choice != "approve" and event.by != "policy"
    named: set[TurnId] = {asked.scope.turn_id} if asked.scope.turn_id is not None else set()
    if isinstance(decision, ResumeDecision) and decision.detail.items is not None:
        named = {TurnId(item.id) for item in decision.detail.items if item.what == "turn"}
    for turn_id in named & queue.open.keys():
        turn = queue.open[turn_id]
        worked_on = None if turn.worked_on is None else record.seq or turn.worked_on
        is_called_off = turn.cancel_requested or is_refused
        is_permission = decision.kind in {"tool", "memory"} and asked.scope.run_id is None
        permitted_at = record.seq if is_permission else turn.permitted_at
        changed = turn._replace(worked_on=worked_on, cancel_requested=is_called_off, permitted_at=permitted_at)
        queue = TurnQueue({**queue.open, turn_id: changed}, queue.begun)
    return queue


def _changes(turn: TurnState, record: EventRecord) -> dict[str, Any]:
    """The fields that the record makes anew: a turn is made once for each record, and long ones have thousands."""
    event = record.event
    match event.type:
        case "item.started" if record.run_id is None:
            return _item_started(turn, event, record)
        case "item.finished" if record.run_id is None:
            return _item_finished(turn, event)
        case "cancel.requested" if record.run_id is None:
            return {"cancel_requested": True}
        case "decision.requested" if event.decision.kind == "run" and record.run_id is not None:
            return _came_to_run(turn, record.run_id, event.decision.detail.spec.call)
        case "run.started" if event.parent_run_id is None and record.run_id is not None:
            return _came_to_run(turn, record.run_id, event.spec.call)
        case "decision.requested" if event.decision.kind == "input" and record.run_id is None:
            return {"question_id": event.decision.decision_id}
        case _:
            return {}


def _came_to_run(turn: TurnState, run_id: RunId, call: ItemId | None) -> dict[str, Any]:
    calls = [key for key, each in turn.open_items.items() if each.item.kind == "tool_call"]
    of = call or (calls[-1] if calls else None)
    known = turn.runs_of if of is None else {**turn.runs_of, of: run_id}
    return {"run_id": run_id, "runs_of": known}


def _item_started(turn: TurnState, event: ItemStarted, record: EventRecord) -> dict[str, Any]:
    item = event.item
    changes: dict[str, Any] = {
        "open_items": {**turn.open_items, item.item_id: PlacedItem(item, record.seq or 0, record.scope)},
        "steps": max(turn.steps, event.step or 0),
        "spent": _spent(turn, event),
        # Words that come while an answer is under way are not answered by it.
        "has_words_since": item.kind == "user_message",
    }
    is_call = item.kind == "tool_call"
    return {**changes, "run_id": None, "question_id": None, "permitted_at": None} if is_call else changes


def _item_finished(turn: TurnState, event: ItemFinished) -> dict[str, Any]:
    item = event.item
    is_presented = item.kind == "presentation"
    changes: dict[str, Any] = {
        "open_items": {key: each for key, each in turn.open_items.items() if key != item.item_id},
        "calls_done": turn.calls_done + (item.kind == "tool_call"),
        "spent": _spent(turn, event),
        "is_presented": turn.is_presented or is_presented,
        "is_answered": (bool(event.ends_turn) or is_presented) and not turn.has_words_since,
    }
    if item.kind == "user_message" and not turn.has_message:
        return {**changes, "has_message": True, "attachments": item.attachments}
    return changes


def _spent(turn: TurnState, event: ItemStarted | ItemFinished) -> Spending:
    return turn.spent if event.usage is None else turn.spent + Spending(event.usage, event.cost_usd)
