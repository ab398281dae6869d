"""What a session may spend, kept: asked before each model call, and put to a person when it is reached."""

from collections.abc import Callable

from teamwright.engine.session import budget
from teamwright.protocol.decisions import BudgetDecision
from teamwright.protocol.errors import Conflict
from teamwright.protocol.events import BudgetReached, DecisionRequested, DecisionResolved
from teamwright.protocol.ids import DecisionId
from teamwright.protocol.records import Scope
from teamwright.protocol.usage import Budget
from teamwright.runtime.identity import fresh_id, now
from teamwright.runtime.journal import Journal
from teamwright.runtime.sessions.decisions import Decisions
from teamwright.runtime.sessions.state_cell import SessionStateCell


class SessionBudget:
    def __init__(
        self,
        journal: Journal,
        decisions: Decisions,
        cell: SessionStateCell,
        configured: Callable[[], Budget | None],
    ) -> None:
        self._journal = journal
        self._decisions = decisions
        self._cell = cell
        self._configured = configured

    @property
    def limit(self) -> Budget | None:
        return budget.limit_of(self._cell.state, self._configured())

    @property
    def left_usd(self) -> float | None:
        return budget.left_usd(self._cell.state, self._configured(), self._cell.spending)

    def reached_by_run(self) -> BudgetReached | None:
        """The fact for the run that finds it so: it holds its agents and asks."""
        reached = budget.reached(self._cell.state, self._configured(), self._cell.spending, now())
        return None if reached is None else BudgetReached(spent=reached.spent, session_limit=reached.limit)

    async def allows_a_call(self, scope: Scope) -> bool:
        """Before a model call of a turn; waits for the person who is asked. Raises Conflict where nobody is."""
        reached = budget.reached(self._cell.state, self._configured(), self._cell.spending, now())
        if reached is None:
            return True
        put = budget.BudgetQuestion(reached)
        decision_id = DecisionId(fresh_id("dec"))
        question = BudgetDecision(decision_id=decision_id, title=put.title, choices=put.choices, detail=put.detail)
        if self._cell.state.modes.autonomy == "autonomous":
            by_policy = DecisionResolved(decision_id=decision_id, choice="cancel", by="policy")
            await self._journal.append_together((DecisionRequested(decision=question), by_policy), scope)
            raise Conflict(budget.NOBODY_ASKED)
        return (await self._decisions.ask(question, scope)).choice == "approve"
