"""From facts to a state: total and pure. What does not concern the run leaves its state as it was."""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from teamwright.engine.run.budget import budget_reached
from teamwright.engine.run.reduce_agents import finding_reported, reduce_agent, timer_elapsed
from teamwright.engine.run.reduce_checks import CheckFact, reduce_check
from teamwright.engine.run.reduce_decisions import decision_requested, decision_resolved
from teamwright.engine.run.state import (
    Agent,
    Approved,
    ChangeSet,
    ChildRun,
    Clock,
    Finished,
    Message,
    QueuedRun,
    Refused,
    Run,
    RunState,
    Winner,
)
from teamwright.engine.spending import Spending
from teamwright.protocol.decisions import RunDecision
from teamwright.protocol.events import (
    AgentCorrected,
    AgentInformed,
    AgentStarted,
    AgentStopped,
    AnswerSubmitted,
    BudgetReached,
    CancelRequested,
    ChangesProposed,
    ChangesSettled,
    CheckCompared,
    CheckFinished,
    CheckStarted,
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    FindingDismissed,
    FindingReported,
    HiddenTextFound,
    ItemFinished,
    ItemStarted,
    MessageShared,
    PlanProposed,
    RunAnalyzed,
    RunFinished,
    RunStarted,
    SessionCompacted,
    SessionCreated,
    SessionUpdated,
    TasksUpdated,
    TimerElapsed,
    TransientEvent,
    TurnFinished,
    TurnQueued,
    TurnStarted,
    VoteCast,
    WinnerSelected,
)
from teamwright.protocol.ids import AgentId, RunId
from teamwright.protocol.records import EventRecord

RunFact = (
    CancelRequested
    | BudgetReached
    | MessageShared
    | WinnerSelected
    | PlanProposed
    | ChangesProposed
    | ChangesSettled
    | RunFinished
)


def fold(records: Iterable[EventRecord], run: Run | None = None) -> Run | None:
    for record in records:
        run = reduce(run, record)
    return run


def reduce(run: Run | None, record: EventRecord) -> Run | None:
    """A run begins with the question for its approval, or with its start; before that there is none."""
    event = record.event
    if isinstance(event, TransientEvent):
        return run
    if run is None:
        return _begun(record)
    if run.finished is not None:
        return _after_the_end(run, record)
    if record.run_id != run.run_id:
        return run if isinstance(run, QueuedRun) else _reduce_execution(run, record)
    if isinstance(run, QueuedRun):
        return _started(record, event) if isinstance(event, RunStarted) else reduce_queued(run, record)
    return _reduce_own(run, record, event).with_changes(last_fact_at=record.at)


def _after_the_end(run: Run, record: EventRecord) -> Run:
    """A person may still apply, drop, take back and check what the run has proposed; nothing else happens to it."""
    event = record.event
    if isinstance(run, QueuedRun) or record.run_id != run.run_id:
        return run
    if isinstance(event, CheckFact):
        return reduce_check(run, event)
    if isinstance(event, ChangesProposed):
        # Another answer's, in place of what it had proposed.
        return replace(run, changes=ChangeSet(proposed=event.changes, change_set_id=event.change_set_id))
    if not isinstance(event, ChangesSettled):
        return run
    settled = {file.uri: file for file in (*(run.changes.settled or ()), *event.settled)}
    return replace(run, changes=replace(run.changes, settled=tuple(settled.values())))


def _begun(record: EventRecord) -> Run | None:
    match record.event:
        case RunStarted() as event:
            return _started(record, event)
        case DecisionRequested(decision=RunDecision() as decision) if record.run_id is not None:
            return queued(record.run_id, record, decision)
        case _:
            return None


def _started(record: EventRecord, event: RunStarted) -> RunState | None:
    if record.run_id is None:
        return None
    return RunState(
        run_id=record.run_id,
        spec=event.spec,
        parent_run_id=event.parent_run_id,
        autonomy=event.autonomy,
        apply_changes=event.apply_changes,
        execute_plan=event.execute_plan,
        started_at=record.at,
        last_fact_at=record.at,
        clock=Clock(),
        agents={agent_id: Agent(agent_id) for agent_id in event.spec.agents},
    )


def _reduce_own(state: RunState, record: EventRecord, event: DurableEvent) -> RunState:
    match event:
        case (
            AgentStarted()
            | AgentInformed()
            | AgentCorrected()
            | AgentStopped()
            | AnswerSubmitted()
            | VoteCast()
            | ItemStarted()
            | ItemFinished()
        ):
            return reduce_agent(state, record, event)
        case CheckStarted() | CheckFinished() | CheckCompared():
            return reduce_check(state, event)
        case FindingReported():
            return finding_reported(state, record, event)
        case TimerElapsed():
            return timer_elapsed(state, record, event)
        case DecisionRequested():
            return decision_requested(state, record, event.decision)
        case DecisionResolved():
            return decision_resolved(state, record, event)
        case (
            CancelRequested()
            | BudgetReached()
            | MessageShared()
            | WinnerSelected()
            | PlanProposed()
            | ChangesProposed()
            | ChangesSettled()
            | RunFinished()
        ):
            return _reduce_run(state, record, event)
        case (
            RunStarted()
            | RunAnalyzed()
            | SessionCreated()
            | SessionUpdated()
            | SessionCompacted()
            | HiddenTextFound()
            | TurnQueued()
            | TurnStarted()
            | TurnFinished()
            | FindingDismissed()
            | TasksUpdated()
        ):
            return state
        case _:
            assert_never(event)


def _reduce_run(state: RunState, record: EventRecord, event: RunFact) -> RunState:
    match event:
        case CancelRequested():
            return replace(state, cancel_requested=True)
        case BudgetReached(spent=spent, session_limit=session_limit):
            return budget_reached(state, spent, session_limit)
        case MessageShared():
            return _message_shared(state, event)
        case WinnerSelected(agent_id=agent_id):
            return _won(state, record, event) if agent_id in state.agents else state
        case PlanProposed(plan=plan, path=path):
            return replace(_presenter_brought_plan(state), planning=replace(state.planning, plan=plan, path=path))
        case ChangesProposed(changes=changes):
            moved = event.moved or False
            proposal = replace(state.changes, proposed=changes, change_set_id=event.change_set_id, moved=moved)
            return replace(state, changes=proposal)
        case ChangesSettled(settled=settled):
            return replace(state, changes=replace(state.changes, settled=settled))
        case RunFinished():
            spending = Spending(event.usage, event.cost_usd)
            return replace(state, finished=Finished(event.outcome, record.at, event.written, spending), pending={})
        case _:
            assert_never(event)


def _won(state: RunState, record: EventRecord, event: WinnerSelected) -> RunState:
    winner = Winner(event.agent_id, event.tally, event.by, event.note)
    since = state.clock.reading(record.at)
    return replace(state, winner=winner, presentation=replace(state.presentation, since=since))


def _message_shared(state: RunState, event: MessageShared) -> RunState:
    if event.part == "question":
        asker = AgentId(event.sender)
        return replace(state, questions={**state.questions, asker: state.questions.get(asker, 0) + 1})
    if event.part == "answer":
        return state
    after_vote = state.winner is not None
    messages = (*state.messages, Message(event.to, event.text, after_vote))
    if after_vote:
        return replace(state, messages=messages, presenter_addressed=len(messages))
    agents = dict(state.agents)
    for agent_id in event.to:
        if agent_id in agents:
            agents[agent_id] = replace(agents[agent_id], addressed=len(messages))
    return replace(state, messages=messages, agents=agents)


def _presenter_brought_plan(state: RunState) -> RunState:
    agents = {
        agent_id: replace(agent, attempt=replace(agent.attempt, brought="finished"))
        if agent.attempt is not None and agent.attempt.purpose == "present"
        else agent
        for agent_id, agent in state.agents.items()
    }
    return replace(state, agents=agents)


def _reduce_execution(state: RunState, record: EventRecord) -> RunState:
    """The run that carries this one's plan out is told of in its own facts."""
    execution = state.planning.execution
    match record.event:
        case RunStarted(parent_run_id=parent, plan_tasks=tasks) if parent == state.run_id and record.run_id is not None:
            execution = ChildRun(record.run_id, tasks)
        case CancelRequested() if execution is not None and record.run_id == execution.run_id:
            execution = replace(execution, cancel_requested=True)
        case RunFinished() as ended if execution is not None and record.run_id == execution.run_id:
            execution = replace(execution, ended=ended)
        case _:
            return state
    return replace(state, planning=replace(state.planning, execution=execution))


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
