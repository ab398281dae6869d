"""What a session may spend, the assistant's calls and all runs together. Counted from its log, so that it holds across
restarts, and asked about when it is reached."""

from collections.abc import Callable

from quorate.engine.budget import is_met, raised
from quorate.engine.spending import Spending
from quorate.protocol.decisions import BudgetDecision, BudgetDetail, BudgetSpent, Choice
from quorate.protocol.errors import Conflict
from quorate.protocol.events import BudgetReached, DecisionRequested, DecisionResolved
from quorate.protocol.ids import DecisionId
from quorate.protocol.modes import Modes
from quorate.protocol.records import EventRecord
from quorate.protocol.usage import Budget
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import fresh_id, now
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.time_at_work import TimeAtWork


class SessionBudget:
    def __init__(
        self,
        journal: Journal,
        decisions: Decisions,
        *,
        configured: Callable[[], Budget | None],
        spending: Callable[[], Spending],
        time: TimeAtWork,
        modes: Callable[[], Modes],
    ) -> None:
        self._journal = journal
        self._decisions = decisions
        self._configured = configured
        self._spending = spending
        self._time = time
        self._modes = modes
        self._asked: set[DecisionId] = set()
        self._last_reached_at: BudgetSpent | None = None
        self._granted: BudgetSpent | None = None

    def fold(self, record: EventRecord) -> None:
        match record.event:
            case BudgetReached(spent=spent, session_limit=Budget()):
                self._last_reached_at = spent
            case DecisionRequested(decision=BudgetDecision(decision_id=decision_id, detail=detail)):
                if detail.of == "session":
                    self._asked.add(decision_id)
                    self._last_reached_at = detail.spent
            case DecisionResolved(decision_id=decision_id, choice="approve") if decision_id in self._asked:
                self._granted = self._last_reached_at
            case _:
                pass

    @property
    def limit(self) -> Budget | None:
        budget = self._configured()
        return None if budget is None else raised(budget, self._granted)

    @property
    def left_usd(self) -> float | None:
        limit, spent = self.limit, self._spending().cost_usd
        return None if limit is None or limit.usd is None or spent is None else max(0.0, limit.usd - spent)

    def reached(self) -> BudgetDetail | None:
        """What there is to ask before anything more is spent."""
        limit = self.limit
        if limit is None:
            return None
        spent = self._spent()
        is_unknown = limit.usd is not None and spent.usd is None and self._granted is None
        return BudgetDetail(of="session", spent=spent, limit=limit) if is_unknown or is_met(limit, spent) else None

    def reached_by_run(self) -> BudgetReached | None:
        """The fact for the run that finds it so: it holds its agents and asks."""
        reached = self.reached()
        return None if reached is None else BudgetReached(spent=reached.spent, session_limit=reached.limit)

    async def allows_a_call(self, scope: Scope) -> bool:
        """Before a model call of a turn; waits for the person who is asked. Raises Conflict where nobody is."""
        if (asked := self.question_in(scope)) is not None:
            return (await self._decisions.answer_to(asked)).choice == "approve"
        reached = self.reached()
        if reached is None:
            return True
        question = _question(reached)
        if self._modes().autonomy == "autonomous":
            by_policy = DecisionResolved(decision_id=question.decision_id, choice="cancel", by="policy")
            await self._journal.append_together((DecisionRequested(decision=question), by_policy), scope)
            raise Conflict(
                "The session has reached its budget, and in autonomous mode nobody is asked: raise `session_budget`, "
                'set the autonomy to "hitl", or begin another session.'
            )
        return (await self._decisions.ask(question, scope)).choice == "approve"

    def question_in(self, scope: Scope) -> DecisionId | None:
        """The one that still waits for its answer there."""
        asked = (key for key, pending in self._decisions.pending.items() if pending.scope == scope)
        return next((key for key in asked if key in self._asked), None)

    def _spent(self) -> BudgetSpent:
        total = self._spending()
        tokens = total.usage.input_tokens + total.usage.output_tokens
        return BudgetSpent(usd=total.cost_usd, tokens=tokens, seconds=self._time.seconds(now()), usage=total.usage)


def _question(reached: BudgetDetail) -> BudgetDecision:
    return BudgetDecision(
        decision_id=DecisionId(fresh_id("dec")),
        title="The session has reached its budget. Let it spend as much again?",
        choices=(Choice(id="approve", label="Go on"), Choice(id="cancel", label="Stop here")),
        detail=reached,
    )
