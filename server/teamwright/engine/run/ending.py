"""How a run ends: changes settled, in its own time or cut short with the best there is. Nothing is thrown away."""

from typing import Literal, assert_never

from teamwright.engine.run.answers import best_answer, result_of
from teamwright.engine.run.budget import spending
from teamwright.engine.run.checking import final_keys, final_of
from teamwright.engine.run.commands import (
    CancelExecution,
    FinishRun,
    ProposeChanges,
    RequestDecision,
    SelectWinner,
    SettleChanges,
    StopAgent,
    Wanted,
    WithdrawDecision,
)
from teamwright.engine.run.evidence import policy_of, views
from teamwright.engine.run.planning import execution_result
from teamwright.engine.run.presentation import is_presentation_due
from teamwright.engine.run.state import RunState, Standing
from teamwright.engine.run.voting import choose, tally
from teamwright.protocol.changes import Change
from teamwright.protocol.decisions import ChangesDetail, Choice
from teamwright.protocol.events import StopReason
from teamwright.protocol.ids import AgentId
from teamwright.protocol.views import RunOutcome

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
    chosen = choose(state, votes)
    if cut != "cancelled" and state.winner is None and chosen is not None:
        return (SelectWinner(chosen.agent_id, votes, "timeout", chosen.note),)
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
        told = f": {execution.ended.error}" if execution.ended is not None and execution.ended.error else "."
        return (_finish(state, execution.outcome, f"The plan was made, but not carried out{told}"),)
    final = final_of(state)
    notice = final.notice if final is not None else None
    if is_presentation_due(state):
        notice = "No agent could present the result; it is the winner's answer as it stands."
    return (_finish(state, "completed", notice=notice),)


def _finish(state: RunState, outcome: RunOutcome, error: str | None = None, notice: str | None = None) -> FinishRun:
    settled = state.changes.settled or ()
    return FinishRun(
        outcome=outcome,
        result=result_of(state),
        spending=spending(state),
        applied=tuple(file.uri for file in settled if file.outcome == "applied"),
        error=error,
        notice=notice,
        checks=views(state, final_keys(state)),
        execution=execution_result(state),
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


_CHOICES = (Choice(id="approve", label="Apply"), Choice(id="cancel", label="Discard"))


def settle_changes(state: RunState) -> Wanted | None:
    changes, final = state.changes, final_of(state)
    if not state.serves_writes or changes.settled is not None:
        return None
    if final is None or (is_presentation_due(state) and final.candidate is None):
        # Nobody could present. What there is of it is kept for a person to look at, and never part of the run's course.
        return keep_partial_changes(state) or None
    if changes.proposed is None:
        if final.candidate is None:
            return None
        return (ProposeChanges(final.agent_id, partial=False, change_set_id=final.candidate.change_set_id),)
    if changes.verdict is not None:
        return (SettleChanges(changes.verdict.approved, changes.verdict.files, changes.verdict.by_policy),)
    return () if state.is_pending("changes") else (_question(state, changes.proposed),)


def keep_partial_changes(state: RunState) -> Wanted:
    """When a run is cut short, or nobody could present: what was being written, else what the best answer changes."""
    if not state.serves_writes or state.changes.proposed is not None or state.changes.settled is not None:
        return ()
    writer = _interrupted_writer(state)
    if writer is not None:
        return (ProposeChanges(writer, partial=True),)
    done, best = state.presentation.done, best_answer(state)
    candidate = done.candidate if done is not None else best.candidate if best is not None else None
    author = done.agent_id if done is not None else best.agent_id if best is not None else None
    if candidate is None or author is None:
        return ()
    return (ProposeChanges(author, partial=True, change_set_id=candidate.change_set_id),)


def _interrupted_writer(state: RunState) -> AgentId | None:
    """Whose copy holds more than it has brought: the presenter's, or a lone agent's."""
    if state.is_direct:
        agent = next(iter(state.agents.values()))
        return agent.agent_id if agent.attempts and agent.latest is None else None
    return state.presentation.presenter if state.presentation.done is None else None


def _question(state: RunState, changes: tuple[Change, ...]) -> RequestDecision:
    files = "one file" if len(changes) == 1 else f"{len(changes)} files"
    return RequestDecision(
        detail=ChangesDetail(
            changes=changes, checks=views(state, final_keys(state)), moved=state.changes.moved or None
        ),
        title=f"Apply the changes to {files}?",
        choices=_CHOICES,
        policy="approve" if state.apply_changes == "auto" and not _overrides_checks(state) else None,
    )


def _overrides_checks(state: RunState) -> bool:
    """A person's choice goes before what the checks require; then a person also says whether it is applied."""
    return policy_of(state) == "require" and state.winner is not None and state.winner.by == "override"
