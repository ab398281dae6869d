"""A run before its start: it waits for a yes, and is started, refused or cancelled."""

from dataclasses import replace

from quorate.engine.commands import FinishRun, StartRun, Wanted, WithdrawDecision
from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.engine.state import Approved, Finished, QueuedRun, Refused
from quorate.protocol.decisions import RunDecision
from quorate.protocol.events import CancelRequested, DecisionRequested, DecisionResolved, RunFinished
from quorate.protocol.ids import RunId
from quorate.protocol.records import EventRecord
from quorate.protocol.usage import Usage
from quorate.protocol.views import AgentView, RunView


def queued(run_id: RunId, record: EventRecord, decision: RunDecision) -> QueuedRun:
    return QueuedRun(run_id, decision.detail.spec, record.at, pending=(decision.decision_id,))


def reduce_queued(run: QueuedRun, record: EventRecord) -> QueuedRun:
    match record.event:
        case DecisionRequested(decision=RunDecision(decision_id=decision_id)):
            return replace(run, pending=(*run.pending, decision_id))
        case DecisionResolved() as event if event.decision_id in run.pending:
            pending = tuple(each for each in run.pending if each != event.decision_id)
            words = event.text or ""
            verdict = Approved(event.edits, words) if event.choice == "approve" else Refused(words)
            return replace(run, pending=pending, approval=verdict)
        case CancelRequested():
            return replace(run, cancel_requested=True)
        case RunFinished() as event:
            spent = Spending(event.usage, event.cost_usd)
            return replace(run, finished=Finished(event.outcome, record.at, event.written, spent), pending=())
        case _:
            return run


def decide_queued(run: QueuedRun) -> Wanted:
    never_started = FinishRun("cancelled", result=None, spending=NOTHING_SPENT)
    if run.cancel_requested:
        return tuple(WithdrawDecision(decision_id) for decision_id in run.pending) or (never_started,)
    match run.approval:
        case Approved(edits=edits, instructions=instructions):
            return (StartRun(edits, instructions),)
        case Refused(words=words):
            return (replace(never_started, error=f"The user refused it: {words}") if words else never_started,)
        case None:
            return ()


def view_queued(run: QueuedRun) -> RunView:
    finished = run.finished
    return RunView(
        run_id=run.run_id,
        task=run.spec.task,
        phase="queued" if finished is None else "finished",
        outcome=finished.outcome if finished is not None else None,
        agents=tuple(
            AgentView(agent_id=agent_id, status="waiting", attempt=0, answers=0, usage=Usage())
            for agent_id in run.spec.agents
        ),
        decisions=run.pending,
        budget=run.spec.budget,
        started_at=run.queued_at,
        finished_at=finished.at if finished is not None else None,
    )
