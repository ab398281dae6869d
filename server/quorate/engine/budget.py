"""What a run may spend, and what it has spent."""

from dataclasses import replace
from datetime import datetime

from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.engine.state import RunState
from quorate.protocol.decisions import BudgetDetail, BudgetSpent
from quorate.protocol.usage import Budget


def budget_limit(state: RunState) -> Budget | None:
    """Each time a person lets a run go on, it may spend once more what it was given at first."""
    budget = state.spec.budget
    if budget is None:
        return None
    times = 1 + state.budget.extensions
    return Budget(
        usd=None if budget.usd is None else budget.usd * times,
        tokens=None if budget.tokens is None else budget.tokens * times,
        seconds=None if budget.seconds is None else budget.seconds * times,
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


def budget_reached(state: RunState, spent: BudgetSpent) -> RunState:
    limit = budget_limit(state)
    if limit is None:
        return state
    return replace(state, budget=replace(state.budget, reached=BudgetDetail(spent=spent, limit=limit)))
