"""What clients draw of a session, and what the browser lists."""

from collections.abc import Collection, Mapping

from teamwright.engine.agreement import agreed_findings, ids_of, reproductions
from teamwright.engine.run.state import RunState
from teamwright.engine.run.view import view as view_of_run
from teamwright.engine.session.state import PlacedItem, SessionState
from teamwright.engine.session.tasks import current_tasks
from teamwright.protocol.commands import SessionStats
from teamwright.protocol.findings import AgreedFinding, Reproduction
from teamwright.protocol.ids import FindingId, ItemId, RunId
from teamwright.protocol.items import Item
from teamwright.protocol.views import SessionSummary, SessionView


def summary(state: SessionState) -> SessionSummary:
    """Raises ValueError for a session without any record."""
    if state.last_fact_at is None:
        raise ValueError("a session without any record has no summary")
    heading = state.heading
    return SessionSummary(
        session_id=state.session_id,
        title=heading.title,
        project=heading.project,
        created_at=heading.created_at or state.last_fact_at,
        updated_at=state.last_fact_at,
        last_message=state.talk.last_message,
        turns=state.turns.begun,
        runs=len(state.runs.order),
        pending_decisions=len(state.decisions.open),
        cost_usd=state.account.settled.cost_usd,
        modes=heading.modes,
        busy=state.is_busy,
    )


def view(state: SessionState, streamed: Mapping[ItemId, str] | None = None) -> SessionView:
    """`streamed` is the text so far of items that are not finished: no fact, but worth seeing."""
    so_far = streamed or {}
    return SessionView(
        **dict(summary(state)),
        items=tuple(_so_far(placed_item(placed), so_far) for placed in state.talk.items.values()),
        run_views=tuple(view_of_run(run) for run in state.runs.all()),
        decisions=tuple(each.decision for each in state.decisions.open.values()),
        findings=findings(state),
        tasks=current_tasks(state),
    )


def placed_item(placed: PlacedItem) -> Item:
    """With what the envelope of its record says of it."""
    scope = placed.scope
    place = {"seq": placed.seq, "turn_id": scope.turn_id, "run_id": scope.run_id, "agent_id": scope.agent_id}
    return placed.item.model_copy(update=place)


def _so_far(item: Item, streamed: Mapping[ItemId, str]) -> Item:
    text = streamed.get(item.item_id)
    return item if text is None else item.model_copy(update={"text": text})


def findings(state: SessionState) -> tuple[AgreedFinding, ...]:
    """Of all its reviews, most agreed first."""
    found = (finding for run in _reviews(state) for finding in agreed_findings(run, state.dismissed))
    return tuple(sorted(found, key=lambda finding: -finding.agreement))


def findings_of(state: SessionState, run_id: RunId) -> tuple[AgreedFinding, ...]:
    run = state.runs.get(run_id)
    return agreed_findings(run, state.dismissed) if isinstance(run, RunState) and run.findings else ()


def reproductions_of(state: SessionState, finding_ids: Collection[FindingId]) -> tuple[tuple[str, Reproduction], ...]:
    """What was seen to fail because of these findings, each with the title of its finding."""
    found = (each for run in _reviews(state) for each in reproductions(run, finding_ids))
    return tuple({proof: (title, proof) for title, proof in found}.values())


def ids_called(state: SessionState, finding_ids: Collection[FindingId]) -> frozenset[FindingId]:
    """And those of all remarks that stand together with them."""
    reviews = _reviews(state)
    return frozenset(each for run in reviews for finding_id in finding_ids for each in ids_of(run, finding_id))


def findings_called(state: SessionState, finding_ids: Collection[FindingId]) -> list[AgreedFinding]:
    called = ids_called(state, finding_ids)
    return [finding for finding in findings(state) if finding.finding_id in called]


def stats(state: SessionState) -> SessionStats:
    spent = state.account.settled
    return SessionStats(
        session_id=state.session_id,
        turns=state.turns.begun,
        runs=len(state.runs.order),
        messages=state.talk.messages,
        usage=spent.usage,
        cost_usd=spent.cost_usd,
        seconds=round(state.work_time.counted.total_seconds(), 3),
    )


def _reviews(state: SessionState) -> list[RunState]:
    return [run for run in state.runs.all() if isinstance(run, RunState) and run.findings]
