"""The questions that a run itself asks: put to a person, answered by rule where the rule says so, over in time."""

from dataclasses import dataclass
from datetime import timedelta
from typing import assert_never

import anyio
from anyio.abc import TaskGroup

from quorate.engine.commands import RequestDecision
from quorate.protocol.decisions import (
    BudgetDecision,
    BudgetDetail,
    ChangesDecision,
    ChangesDetail,
    Decision,
    OverrideDecision,
    OverrideDetail,
    PlanDecision,
    PlanDetail,
)
from quorate.protocol.events import DecisionRequested, DecisionResolved
from quorate.protocol.ids import DecisionId
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import fresh_id, now


@dataclass(frozen=True, slots=True)
class Question:
    """One that a rule decides goes into the log with its answer."""

    requested: DecisionRequested
    by_policy: tuple[DecisionResolved, ...] = ()
    expires_after: float | None = None


class Questions:
    def __init__(self, decisions: Decisions, tasks: TaskGroup) -> None:
        self._decisions = decisions
        self._tasks = tasks

    def worded(self, command: RequestDecision) -> Question:
        decision = _decision(command)
        requested = DecisionRequested(decision=decision)
        if command.policy is None:
            return Question(requested, expires_after=command.expires_after)
        by_policy = DecisionResolved(decision_id=decision.decision_id, choice=command.policy, by="policy")
        return Question(requested, (by_policy,))

    def watch(self, question: Question) -> None:
        """From now on it is over in time, if it is meant to be."""
        if question.expires_after is not None:
            self._tasks.start_soon(self._expire, question.requested.decision.decision_id, question.expires_after)

    async def _expire(self, decision_id: DecisionId, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            await self._decisions.answer_to(decision_id)
            return
        await self._decisions.resolve_unless_answered(decision_id, by="timeout")


def _decision(command: RequestDecision) -> Decision:
    decision_id = DecisionId(fresh_id("dec"))
    title, choices = command.title, command.choices
    expires_at = None if command.expires_after is None else now() + timedelta(seconds=command.expires_after)
    match command.detail:
        case OverrideDetail() as detail:
            return OverrideDecision(
                decision_id=decision_id, title=title, choices=choices, expires_at=expires_at, detail=detail
            )
        case PlanDetail() as detail:
            return PlanDecision(decision_id=decision_id, title=title, choices=choices, detail=detail)
        case ChangesDetail() as detail:
            return ChangesDecision(decision_id=decision_id, title=title, choices=choices, detail=detail)
        case BudgetDetail() as detail:
            return BudgetDecision(decision_id=decision_id, title=title, choices=choices, detail=detail)
        case _:
            assert_never(command.detail)
