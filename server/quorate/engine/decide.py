"""What a state wants now. The same state always wants the same things; a finished run wants nothing."""

from dataclasses import replace

from quorate.engine.changes import settle_changes
from quorate.engine.commands import (
    Command,
    Deliberate,
    Present,
    RequestDecision,
    StopAgent,
    Wanted,
    WithdrawDecision,
    Work,
)
from quorate.engine.deliberation import deliberate
from quorate.engine.ending import cut_of, cut_short, finish
from quorate.engine.override import offer_override
from quorate.engine.planning import execute_plan
from quorate.engine.presentation import present
from quorate.engine.queue import decide_queued
from quorate.engine.state import QueuedRun, Run, RunState
from quorate.engine.timers import timers
from quorate.protocol.decisions import BudgetDetail, Choice

# In this order; each says None once it is over, and an empty tuple while it waits.
_STEPS = (deliberate, offer_override, present, execute_plan, settle_changes)


def decide(state: Run) -> Wanted:
    if state.finished is not None:
        return ()
    if isinstance(state, QueuedRun):
        return decide_queued(state)
    cut = cut_of(state)
    if cut is not None:
        return cut_short(state, cut)
    if state.is_pending("resume"):
        return ()
    wanted = _within_budget(state, _next_step(state))
    return (*wanted, *_stale_questions(state, wanted), *timers(state, wanted))


def _next_step(state: RunState) -> Wanted:
    for step in _STEPS:
        wanted = step(state)
        if wanted is not None:
            return wanted
    return finish(state)


def _within_budget(state: RunState, wanted: Wanted) -> Wanted:
    """At its budget a run makes no further model call; what needs none goes on."""
    reached = state.budget.reached
    if reached is None or not any(isinstance(command, Deliberate | Present) for command in wanted):
        return wanted
    if state.autonomy == "autonomous":
        return cut_short(state, "over_budget")
    held = tuple(kept for command in wanted if (kept := _on_hold(state, command)) is not None)
    return held if state.is_pending("budget") else (*held, _budget_question(reached))


def _on_hold(state: RunState, command: Command) -> Work | StopAgent | None:
    match command:
        case Deliberate() | Present():
            is_at_work = state.agents[command.agent_id].attempt is not None
            return replace(command, on_hold=True) if is_at_work else None
        case StopAgent():
            return command
        case _:
            return None


def _budget_question(reached: BudgetDetail) -> RequestDecision:
    return RequestDecision(
        detail=reached,
        title=f"The {reached.of} has reached its budget. Let it spend as much again?",
        choices=(Choice(id="approve", label="Go on"), Choice(id="cancel", label="Stop with the best answer")),
    )


def _stale_questions(state: RunState, wanted: Wanted) -> Wanted:
    """What an agent asked before it was stopped need not be answered."""
    at_work = {command.agent_id for command in wanted if isinstance(command, Deliberate | Present)}
    return tuple(
        WithdrawDecision(decision_id)
        for decision_id, decision in state.pending.items()
        if decision.kind in {"input", "command"} and decision.agent_id is not None and decision.agent_id not in at_work
    )
