"""What a run may spend, and what it has spent."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from teamwright.engine.run.state import RunState
from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.protocol.decisions import BudgetDetail, BudgetSpent
from teamwright.protocol.events import BudgetReached
from teamwright.protocol.ids import AgentId
from teamwright.protocol.usage import Budget


@dataclass(frozen=True, slots=True)
class Metered:
    """What an attempt has used so far: no fact before it stops."""

    attempt: int
    spending: Spending


def budget_limit(state: RunState) -> Budget | None:
    budget = state.spec.budget
    return None if budget is None else raised(budget, state.budget.granted)


def raised(budget: Budget, granted: BudgetSpent | None) -> Budget:
    """Who was let go on may spend as much once more, counted from then: what was overdrawn is not held against them."""
    if granted is None:
        return budget
    return Budget(
        usd=None if budget.usd is None else budget.usd + (granted.usd or 0),
        tokens=None if budget.tokens is None else budget.tokens + granted.tokens,
        seconds=None if budget.seconds is None else budget.seconds + granted.seconds,
    )


def is_met(limit: Budget, spent: BudgetSpent) -> bool:
    """A price that is not known meets no limit of money: that was asked about before the start."""
    parts = ((limit.usd, spent.usd), (limit.tokens, spent.tokens), (limit.seconds, spent.seconds))
    return any(most is not None and used is not None and used >= most for most, used in parts)


def spending(state: RunState) -> Spending:
    return sum((agent.spending for agent in state.agents.values()), NOTHING_SPENT)


def spent_by(state: RunState, at: datetime, at_work: Spending = NOTHING_SPENT) -> BudgetSpent:
    """`at_work` is what attempts have used that have not stopped yet."""
    total = spending(state) + at_work
    seconds = (state.clock.reading(at) - state.started_at).total_seconds()
    tokens = total.usage.input_tokens + total.usage.output_tokens
    return BudgetSpent(usd=total.cost_usd, tokens=tokens, seconds=seconds, usage=total.usage)


def uncounted(state: RunState, at_work: Mapping[AgentId, Metered]) -> Mapping[AgentId, Spending]:
    """What attempts have used that have not stopped yet, as far as the state knows: it counts the others itself."""
    return {
        agent_id: metered.spending
        for agent_id, metered in at_work.items()
        if (attempt := state.agents[agent_id].attempt) is not None and attempt.number == metered.attempt
    }


def overspending(
    state: RunState, at: datetime, at_work: Mapping[AgentId, Metered], session: BudgetReached | None
) -> BudgetReached | None:
    """The fact that a budget is reached, the run's own first; `session` says so of the session's.

    Also while it is asked about: calls that were under way then belong to what is asked about.
    """
    limit, asked_about = budget_limit(state), state.budget.reached
    if limit is not None and (asked_about is None or asked_about.of == "run"):
        spent = spent_by(state, at, sum(uncounted(state, at_work).values(), NOTHING_SPENT))
        if is_met(limit, spent):
            return BudgetReached(spent=spent)
    return session if asked_about is None or asked_about.of == "session" else None


def budget_reached(state: RunState, spent: BudgetSpent, session_limit: Budget | None = None) -> RunState:
    limit = session_limit or budget_limit(state)
    if limit is None:
        return state
    reached = BudgetDetail(of="run" if session_limit is None else "session", spent=spent, limit=limit)
    return replace(state, budget=replace(state.budget, reached=reached))


def budget_granted(state: RunState) -> RunState:
    """The session counts for itself what it was granted."""
    budget = state.budget
    is_own = budget.reached is not None and budget.reached.of == "run"
    granted = budget.reached.spent if budget.reached is not None and is_own else budget.granted
    return replace(state, budget=replace(budget, reached=None, granted=granted))
