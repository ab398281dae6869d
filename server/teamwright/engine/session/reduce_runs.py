"""The runs of a session: each fact goes to the one run it concerns, and to the run whose plan that one carries out."""

from teamwright.engine.run.reduce import reduce
from teamwright.engine.run.state import RunState
from teamwright.engine.session.state import NO_WORK, DecisionLog, Items, PlacedItem, Runs, SessionRun
from teamwright.protocol.decisions import ResumeDecision, ResumeDetail
from teamwright.protocol.events import AnyEvent
from teamwright.protocol.ids import RunId
from teamwright.protocol.records import EventRecord, Scope


def reduce_runs(runs: Runs, record: EventRecord, decisions: DecisionLog) -> Runs:
    """`decisions` as they stood before the record."""
    if record.event.type in {"decision.requested", "decision.resolved"}:
        for run_id in _interrupted(record.event, decisions):
            # Asked once for the whole session, and heard by each run that it is about.
            runs = _own(runs, record.model_copy(update={"run_id": run_id}), run_id)
    if record.run_id is None:
        return runs
    runs = _own(runs, record, record.run_id)
    if record.event.type in {"run.started", "run.finished", "cancel.requested"}:
        runs = _parent(runs, record, record.run_id)
    return runs


def _interrupted(event: AnyEvent, decisions: DecisionLog) -> tuple[RunId, ...]:
    detail: ResumeDetail | None = None
    if event.type == "decision.requested" and isinstance(event.decision, ResumeDecision):
        detail = event.decision.detail
    elif event.type == "decision.resolved":
        asked = decisions.open.get(event.decision_id)
        if asked is not None and isinstance(asked.decision, ResumeDecision):
            detail = asked.decision.detail
    items = () if detail is None else detail.items or ()
    return tuple(RunId(item.id) for item in items if item.what == "run")


def _own(runs: Runs, record: EventRecord, run_id: RunId) -> Runs:
    known = runs.open.get(run_id)
    if known is None:
        return _begun(runs, record, run_id) if run_id not in runs.ended else _after_the_end(runs, record, run_id)
    advanced = reduce(known.run, record)
    if advanced is None:
        return runs
    worked_on = known.worked_on if record.event.type in NO_WORK else record.seq or known.worked_on
    if advanced.finished is None:
        changed = SessionRun(advanced, known.scope, worked_on, _open_items(known.open_items, record))
        return Runs({**runs.open, run_id: changed}, runs.ended, runs.order)
    still_open = {key: each for key, each in runs.open.items() if key != run_id}
    return Runs(still_open, {**runs.ended, run_id: SessionRun(advanced, known.scope, worked_on)}, runs.order)


def _begun(runs: Runs, record: EventRecord, run_id: RunId) -> Runs:
    run = reduce(None, record)
    if run is None:
        return runs
    begun = SessionRun(run, Scope(record.turn_id, run_id), record.seq or 0)
    return Runs({**runs.open, run_id: begun}, runs.ended, (*runs.order, run_id))


def _after_the_end(runs: Runs, record: EventRecord, run_id: RunId) -> Runs:
    known = runs.ended[run_id]
    run = reduce(known.run, record)
    if run is None or run is known.run:
        return runs
    return runs._replace(ended={**runs.ended, run_id: known._replace(run=run)})


def _parent(runs: Runs, record: EventRecord, child: RunId) -> Runs:
    carried_out = runs.get(child)
    parent_id = carried_out.parent_run_id if isinstance(carried_out, RunState) else None
    parent = None if parent_id is None else runs.open.get(parent_id)
    if parent_id is None or parent is None:
        return runs
    run = reduce(parent.run, record)
    if run is None or run is parent.run:
        return runs
    return runs._replace(open={**runs.open, parent_id: parent._replace(run=run)})


def _open_items(items: Items, record: EventRecord) -> Items:
    event = record.event
    if event.type == "item.started":
        return {**items, event.item.item_id: PlacedItem(event.item, record.seq or 0, record.scope)}
    if event.type == "item.finished" and event.item.item_id in items:
        return {key: item for key, item in items.items() if key != event.item.item_id}
    return items
