"""What a session may spend, the assistant's calls and all runs together. Counted from its log, so that it holds across
restarts."""

from dataclasses import dataclass
from datetime import datetime

from teamwright.engine.run.budget import is_met, raised
from teamwright.engine.run.budget import spending as run_spending
from teamwright.engine.run.state import RunState
from teamwright.engine.session.state import SessionState
from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.protocol.decisions import BudgetDetail, BudgetSpent, Choice
from teamwright.protocol.usage import Budget


@dataclass(frozen=True, slots=True)
class BudgetQuestion:
    detail: BudgetDetail
    title: str = "The session has reached its budget. Let it spend as much again?"
    choices: tuple[Choice, ...] = (Choice(id="approve", label="Go on"), Choice(id="cancel", label="Stop here"))


NOBODY_ASKED = (
    "The session has reached its budget, and in autonomous mode nobody is asked: raise `session_budget`, "
    'set the autonomy to "hitl", or begin another session.'
)


def total_spending(state: SessionState, at_work: Spending = NOTHING_SPENT) -> Spending:
    """`at_work` is what turns and attempts have used that no fact tells yet."""
    runs = (run_spending(known.run) for known in state.runs.open.values() if isinstance(known.run, RunState))
    turns = (turn.spent for turn in state.turns.open.values())
    return sum((*runs, *turns), state.account.settled) + at_work


def limit_of(state: SessionState, configured: Budget | None) -> Budget | None:
    return None if configured is None else raised(configured, state.account.granted)


def left_usd(state: SessionState, configured: Budget | None, spent: Spending) -> float | None:
    limit = limit_of(state, configured)
    if limit is None or limit.usd is None or spent.cost_usd is None:
        return None
    return max(0.0, limit.usd - spent.cost_usd)


def reached(state: SessionState, configured: Budget | None, total: Spending, at: datetime) -> BudgetDetail | None:
    """What there is to ask before anything more is spent; `total` with what is at work."""
    limit = limit_of(state, configured)
    if limit is None:
        return None
    tokens = total.usage.input_tokens + total.usage.output_tokens
    spent = BudgetSpent(usd=total.cost_usd, tokens=tokens, seconds=state.work_time.seconds(at), usage=total.usage)
    # A price that is not known could be any: it is asked about once.
    is_unknown = limit.usd is not None and spent.usd is None and state.account.granted is None
    return BudgetDetail(of="session", spent=spent, limit=limit) if is_unknown or is_met(limit, spent) else None
