"""What a run may spend, and what it has spent."""

from dataclasses import replace
from datetime import datetime

from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.engine.state import RunState
from quorate.protocol.decisions import BudgetDetail, BudgetSpent
from quorate.protocol.usage import Budget


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
