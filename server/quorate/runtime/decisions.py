"""What waits for a person in a session. A decision is answered once; whoever comes second is told what was decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import anyio

from quorate.protocol.base import Wire
from quorate.protocol.changes import FileChoice
from quorate.protocol.decisions import Decision, Resolution, ResolvedBy
from quorate.protocol.errors import BadParams, Conflict, FieldError, NotFound
from quorate.protocol.events import DecisionRequested, DecisionResolved
from quorate.protocol.ids import DecisionId
from quorate.protocol.plans import Plan
from quorate.protocol.records import EventRecord
from quorate.protocol.runs import RunSpecEdit
from quorate.protocol.validation import parse_params
from quorate.runtime.journal import Journal, Scope


@dataclass(frozen=True, slots=True)
class Pending:
    decision: Decision
    scope: Scope


class Decisions:
    """Folded from the session's log like every other state, so that it is the same after a restart."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._pending: dict[DecisionId, Pending] = {}
        self._resolved: dict[DecisionId, Resolution] = {}
        self._latest: dict[tuple[str, Scope], Resolution] = {}
        self._answered: dict[DecisionId, anyio.Event] = {}
        self._questions: dict[DecisionId, Pending] = {}

    @property
    def pending(self) -> Mapping[DecisionId, Pending]:
        return self._pending

    def knows(self, decision_id: DecisionId) -> bool:
        return decision_id in self._pending or decision_id in self._resolved

    def fold(self, record: EventRecord) -> None:
        match record.event:
            case DecisionRequested(decision=decision):
                scope = Scope(record.turn_id, record.run_id, record.agent_id)
                self._pending[decision.decision_id] = Pending(decision, scope)
                if decision.kind == "input":
                    self._questions[decision.decision_id] = self._pending[decision.decision_id]
            case DecisionResolved() as event:
                decided = self._resolved[event.decision_id] = Resolution(
                    decision_id=event.decision_id, choice=event.choice, by=event.by, edits=event.edits, text=event.text
                )
                if (pending := self._pending.pop(event.decision_id, None)) is not None:
                    self._latest[pending.decision.kind, pending.scope] = decided
                if answered := self._answered.pop(event.decision_id, None):
                    answered.set()
            case _:
                pass

    def latest(self, kind: str, scope: Scope) -> Resolution | None:
        """How the last decision of this kind in exactly this scope was taken."""
        return self._latest.get((kind, scope))

    async def answered_questions(self, scope: Scope) -> list[tuple[str, str]]:
        """What was asked in this scope before, with the answers; waits for the one that is still open."""
        asked = [(key, pending.decision.title) for key, pending in self._questions.items() if pending.scope == scope]
        answers = [(question, await self.answer_to(decision_id)) for decision_id, question in asked]
        return [(question, answer.text or answer.choice) for question, answer in answers]

    async def request(self, decision: Decision, scope: Scope) -> None:
        await self._journal.append(DecisionRequested(decision=decision), scope)

    async def ask(self, decision: Decision, scope: Scope) -> Resolution:
        """Puts it to a person and waits."""
        await self.request(decision, scope)
        return await self.answer_to(decision.decision_id)

    async def answer_to(self, decision_id: DecisionId) -> Resolution:
        """Waits for it, however long the person takes."""
        if decision_id not in self._resolved:
            await self._answered.setdefault(decision_id, anyio.Event()).wait()
        return self._resolved[decision_id]

    async def resolve(
        self,
        decision_id: DecisionId,
        choice: str,
        *,
        by: ResolvedBy,
        edits: dict[str, Any] | None = None,
        text: str | None = None,
    ) -> Resolution:
        async with self._journal.undisturbed() as append:
            if (decided := self._resolved.get(decision_id)) is not None:
                raise Conflict(f"This was already decided: {decided.choice}.", {"decision": decided.to_wire()})
            pending = self._pending.get(decision_id)
            if pending is None:
                raise NotFound(f"There is no decision {decision_id} in this session.")
            _check_choice(pending.decision, choice)
            _check_edits(pending.decision, edits)
            resolved = DecisionResolved(decision_id=decision_id, choice=choice, by=by, edits=edits, text=text)
            await append(resolved, pending.scope)
        return self._resolved[decision_id]

    async def resolve_unless_answered(self, decision_id: DecisionId, *, by: ResolvedBy) -> None:
        """Nothing waits for it any more. Whoever was faster has decided it."""
        try:
            await self.resolve(decision_id, "cancel", by=by)
        except Conflict:
            return

    async def withdraw(self, scope: Scope) -> None:
        """All that still waits in exactly this scope."""
        for decision_id in [key for key, pending in self._pending.items() if pending.scope == scope]:
            await self.resolve_unless_answered(decision_id, by="cancelled")


# How a question is decided that was answered in words.
ANSWER: Final = "answer"
_ANSWERED_WITH: Final = {"input": "quorate.respond", "override": "quorate.override"}


class PlanEdit(Wire):
    plan: Plan


class ChangesEdit(Wire):
    files: tuple[FileChoice, ...]


def _check_choice(decision: Decision, choice: str) -> None:
    # A question is answered in one's own words; everything else offers what it offers.
    offered = [ANSWER] if decision.kind == "input" else [each.id for each in decision.choices]
    if choice not in {*offered, "cancel"}:
        command = _ANSWERED_WITH.get(decision.kind, "quorate.approve")
        raise BadParams(
            [FieldError(path="decisionId", message=f"is a decision of kind {decision.kind}; use {command}")]
        )


def _check_edits(decision: Decision, edits: dict[str, Any] | None) -> None:
    """Said now, while it can still be mended: an edit that cannot be read is no yes to anything."""
    if edits is None:
        return
    match decision.kind:
        case "plan":
            parse_params(PlanEdit, edits)
        case "changes":
            parse_params(ChangesEdit, edits)
        case "run":
            parse_params(RunSpecEdit, edits)
        case kind:
            raise BadParams([FieldError(path="edits", message=f"a decision of kind {kind} cannot be edited")])
