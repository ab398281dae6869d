"""How a run ends: in its own time, or cut short with the best there is. Nothing is thrown away."""

from typing import Literal, assert_never

from quorate.engine.budget import spending
from quorate.engine.changes import keep_partial_changes
from quorate.engine.commands import CancelExecution, FinishRun, SelectWinner, StopAgent, Wanted, WithdrawDecision
from quorate.engine.presentation import is_presentation_due
from quorate.engine.results import result_of
from quorate.engine.state import RunState, Standing
from quorate.engine.voting import leader, tally
from quorate.protocol.events import StopReason
from quorate.protocol.views import RunOutcome

Cut = Literal["cancelled", "timed_out", "budget_refused", "over_budget"]

_STOP_REASON: dict[Cut, StopReason] = {
    "cancelled": "cancelled",
    "timed_out": "timeout",
    "budget_refused": "cancelled",
    "over_budget": "superseded",
}
_FATE: dict[Standing, str] = {
    "live": "gave none",
    "abstained": "abstained",
    "failed": "failed",
    "timed_out": "ran out of time",
}


def cut_of(state: RunState) -> Cut | None:
    if state.cancel_requested:
        return "cancelled"
    if state.timed_out:
        return "timed_out"
    return "budget_refused" if state.budget.refused else None


def cut_short(state: RunState, cut: Cut) -> Wanted:
    """First everything stops; then what is half done is kept; then the run is finished."""
    if stops := (*_stops(state, cut), *_withdrawals(state), *_execution_stop(state)):
        return stops
    if state.planning.execution is not None and state.planning.execution.outcome is None:
        return ()
    if kept := keep_partial_changes(state):
        return kept
    votes = tally(state)
    winner = leader(state, votes)
    if cut != "cancelled" and state.winner is None and winner is not None:
        return (SelectWinner(winner, votes, "timeout"),)
    outcome, error = _cut_outcome(state, cut)
    return (_finish(state, outcome, error),)


def finish(state: RunState) -> Wanted:
    """The run has gone its whole way."""
    if withdrawals := _withdrawals(state):
        return withdrawals
    if not state.answers:
        return (_finish(state, "failed", _why_nobody_answered(state)),)
    execution = state.planning.execution
    if execution is not None and execution.outcome is not None and execution.outcome != "completed":
        told = f": {execution.error}" if execution.error else "."
        return (_finish(state, execution.outcome, f"The plan was made, but not carried out{told}"),)
    notice = "No agent could present the result; it is the winner's answer as it stands."
    return (_finish(state, "completed", notice=notice if is_presentation_due(state) else None),)


def _finish(state: RunState, outcome: RunOutcome, error: str | None = None, notice: str | None = None) -> FinishRun:
    settled = state.changes.settled or ()
    return FinishRun(
        outcome=outcome,
        result=result_of(state),
        spending=spending(state),
        applied=tuple(file.uri for file in settled if file.outcome == "applied"),
        error=error,
        notice=notice,
    )


def _stops(state: RunState, cut: Cut) -> tuple[StopAgent, ...]:
    return tuple(
        StopAgent(agent.agent_id, agent.attempt.number, agent.attempt.brought or _STOP_REASON[cut])
        for agent in state.agents.values()
        if agent.attempt is not None
    )


def _withdrawals(state: RunState) -> tuple[WithdrawDecision, ...]:
    return tuple(WithdrawDecision(decision_id) for decision_id in state.pending)


def _execution_stop(state: RunState) -> tuple[CancelExecution, ...]:
    execution = state.planning.execution
    if execution is None or execution.outcome is not None or execution.cancel_requested:
        return ()
    return (CancelExecution(execution.run_id),)


def _cut_outcome(state: RunState, cut: Cut) -> tuple[RunOutcome, str | None]:
    so_far = "the best answer so far is the result." if state.answers else "no agent had answered."
    match cut:
        case "cancelled":
            return "cancelled", None
        case "timed_out":
            seconds = state.spec.coordination_overrides.orchestrator_timeout_seconds
            return "timed_out", f"The run was stopped after {seconds:g} seconds; {so_far}"
        case "budget_refused":
            return "cancelled", f"The run was stopped at {_whose_budget(state)}; {so_far}"
        case "over_budget":
            return (
                "completed" if state.answers else "failed",
                f"The run was stopped at {_whose_budget(state)}; {so_far}",
            )
        case _:
            assert_never(cut)


def _whose_budget(state: RunState) -> str:
    reached = state.budget.reached
    return "its session's budget" if reached is not None and reached.of == "session" else "its budget"


def _why_nobody_answered(state: RunState) -> str:
    reasons = "; ".join(f"{agent.agent_id}: {agent.error or _FATE[agent.standing]}" for agent in state.agents.values())
    return f"No agent gave an answer ({reasons})."
