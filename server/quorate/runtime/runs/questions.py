"""The questions that a run itself asks: put to a person, answered by rule where the rule says so, over in time."""

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
    ResolvedBy,
)
from quorate.protocol.errors import Conflict
from quorate.protocol.ids import DecisionId
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import fresh_id, now
from quorate.runtime.journal import Scope


class Questions:
    def __init__(self, decisions: Decisions, scope: Scope, tasks: TaskGroup) -> None:
        self._decisions = decisions
        self._scope = scope
        self._tasks = tasks

    async def ask(self, command: RequestDecision) -> None:
        decision = _decision(command)
        await self._decisions.request(decision, self._scope)
        if command.policy is not None:
            await self._decisions.resolve(decision.decision_id, command.policy, by="policy")
        elif command.expires_after is not None:
            self._tasks.start_soon(self._expire, decision.decision_id, command.expires_after)

    async def withdraw(self, decision_id: DecisionId) -> None:
        await self._resolve_unless_answered(decision_id, "cancelled")

    async def _expire(self, decision_id: DecisionId, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            await self._decisions.answer_to(decision_id)
            return
        await self._resolve_unless_answered(decision_id, "timeout")

    async def _resolve_unless_answered(self, decision_id: DecisionId, by: ResolvedBy) -> None:
        try:
            await self._decisions.resolve(decision_id, "cancel", by=by)
        except Conflict:
            # A person was faster.
            return


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
