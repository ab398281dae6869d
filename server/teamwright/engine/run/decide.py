"""What a state wants now. The same state always wants the same things; a finished run wants nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from teamwright.engine.run.budget import budget_limit
from teamwright.engine.run.checking import check_final, check_timers, wanted_checks
from teamwright.engine.run.commands import (
    ArmTimer,
    Command,
    CompareCheck,
    Deliberate,
    FinishRun,
    Present,
    RequestDecision,
    RunCheck,
    SelectWinner,
    StartRun,
    StopAgent,
    Wanted,
    WithdrawDecision,
    Work,
)
from teamwright.engine.run.deliberation import deliberate
from teamwright.engine.run.ending import cut_of, cut_short, finish, settle_changes
from teamwright.engine.run.planning import execute_plan
from teamwright.engine.run.presentation import offer_override, present, window_is_due
from teamwright.engine.run.state import ASKED_BY_AGENTS, Approved, Pressure, QueuedRun, Refused, Run, RunState
from teamwright.engine.run.voting import candidates, has_grace, is_awaited
from teamwright.engine.spending import NOTHING_SPENT
from teamwright.protocol.decisions import BudgetDetail, Choice
from teamwright.protocol.events import TimerName

# In this order; each says None once it is over, and an empty tuple while it waits.
_STEPS = (deliberate, offer_override, present, check_final, execute_plan, settle_changes)


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
    wanted = (*wanted, *_checks(state, wanted))
    return (*wanted, *_stale_questions(state, wanted), *timers(state, wanted))


def _checks(state: RunState, wanted: Wanted) -> Wanted:
    """They cost no model call, so that no budget holds them up; what is over needs none."""
    if any(isinstance(command, FinishRun | SelectWinner) for command in wanted) or cut_of(state) is not None:
        return ()
    is_open = state.winner is None or window_is_due(state)
    return tuple(wanted_checks(state, is_open=is_open, is_presenting=present(state) is not None))


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
        if decision.kind in ASKED_BY_AGENTS and decision.agent_id is not None and decision.agent_id not in at_work
    )


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


# The next step for an agent past its round's time, and how many graces after that time it comes.
_NEXT_STEP: dict[Pressure, tuple[TimerName, int] | None] = {
    "none": ("round_wrap_up", 0),
    "wrap_up": ("round_tools_closed", 1),
    "tools_closed": ("round_over", 2),
    "over": None,
}


def timers(state: RunState, wanted: Sequence[Command]) -> tuple[ArmTimer, ...]:
    works = [command for command in wanted if isinstance(command, Deliberate | Present)]
    is_checking = any(isinstance(command, RunCheck | CompareCheck) for command in wanted)
    if (not works and not is_checking) or state.clock.stopped_at is not None:
        return ()
    return (*_run_timers(state), *check_timers(state), *_round_timers(state, works))


def _run_timers(state: RunState) -> Iterator[ArmTimer]:
    rules, limit = state.spec.coordination_overrides, budget_limit(state)
    yield ArmTimer("run", state.clock.due_at(state.started_at, rules.orchestrator_timeout_seconds))
    if limit is not None and limit.seconds is not None and state.budget.reached is None:
        yield ArmTimer("budget", state.clock.due_at(state.started_at, limit.seconds))
    if state.latest_first_answer is not None and _grace_runs(state):
        due_at = state.clock.due_at(state.latest_first_answer, rules.first_answer_grace_seconds)
        yield ArmTimer("first_answer_grace", due_at)


def _grace_runs(state: RunState) -> bool:
    return (
        state.winner is None
        and not state.grace_elapsed
        and has_grace(state)
        and len(candidates(state)) > 1
        and any(is_awaited(state, agent) for agent in state.agents.values())
    )


def _round_timers(state: RunState, works: Sequence[Work]) -> Iterator[ArmTimer]:
    rules = state.spec.coordination_overrides
    for work in works:
        is_first = isinstance(work, Deliberate) and work.stage == "first_answer"
        seconds = rules.initial_round_timeout_seconds if is_first else rules.subsequent_round_timeout_seconds
        attempt = state.agents[work.agent_id].attempt
        if seconds is None or attempt is None or (step := _NEXT_STEP[attempt.pressure]) is None:
            continue
        timer, graces = step
        due_at = state.clock.due_at(attempt.started, seconds + graces * rules.round_timeout_grace_seconds)
        yield ArmTimer(timer, due_at, work.agent_id, attempt.number)
