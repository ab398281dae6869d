"""Which timers a run wants. Only agents' work is timed, and no time passes while a person is waited for."""

from collections.abc import Iterator, Sequence

from quorate.engine.budget import budget_limit
from quorate.engine.commands import ArmTimer, Command, Deliberate, Present, Work
from quorate.engine.state import Pressure, RunState
from quorate.engine.voting import candidates, has_grace, is_awaited
from quorate.protocol.events import TimerName

# The next step for an agent past its round's time, and how many graces after that time it comes.
_NEXT_STEP: dict[Pressure, tuple[TimerName, int] | None] = {
    "none": ("round_wrap_up", 0),
    "wrap_up": ("round_tools_closed", 1),
    "tools_closed": ("round_over", 2),
    "over": None,
}


def timers(state: RunState, wanted: Sequence[Command]) -> tuple[ArmTimer, ...]:
    works = [command for command in wanted if isinstance(command, Deliberate | Present)]
    if not works or state.clock.stopped_at is not None:
        return ()
    return (*_run_timers(state), *_round_timers(state, works))


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
