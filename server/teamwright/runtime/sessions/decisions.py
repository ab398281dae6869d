"""What waits for a person in a session. A decision is answered once; whoever comes second is told what was decided."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import anyio
from anyio import to_thread
from pydantic import Field

from teamwright.engine.session.state import Decided, OpenDecision
from teamwright.protocol.base import Maybe, Wire
from teamwright.protocol.changes import FileChoice
from teamwright.protocol.decisions import (
    ChangesDecision,
    Decision,
    PlanDecision,
    Resolution,
    ResolvedBy,
    RunDecision,
    ToolDecision,
)
from teamwright.protocol.errors import BadParams, Conflict, FieldError, NotFound
from teamwright.protocol.events import DecisionRequested, DecisionResolved
from teamwright.protocol.ids import DecisionId
from teamwright.protocol.plans import Plan
from teamwright.protocol.records import EventRecord, Scope
from teamwright.protocol.runs import RunSpecEdit
from teamwright.protocol.validation import parse_params
from teamwright.runtime.journal import Journal
from teamwright.runtime.sessions.state_cell import SessionStateCell
from teamwright.store.tool_choices import ToolChoice, ToolChoices


class Decisions:
    """What the log says of them stands in the session's state; here they are put, answered and waited for."""

    def __init__(self, journal: Journal, cell: SessionStateCell, tool_choices: ToolChoices) -> None:
        self.tool_choices = tool_choices
        self._journal = journal
        self._cell = cell
        # Answers whose questions were put by a process that is gone: for whoever comes to ask the same again.
        self._unclaimed: dict[_Question, Resolution] = {}
        self._answered: dict[DecisionId, anyio.Event] = {}
        # Held by whoever looks whether a question has been put before it puts it.
        self.questioning = anyio.Lock()

    @property
    def pending(self) -> Mapping[DecisionId, OpenDecision]:
        return self._cell.state.decisions.open

    def hear(self, record: EventRecord) -> None:
        """Wakes whoever waits for the answer."""
        if isinstance(record.event, DecisionResolved) and (
            answered := self._answered.pop(record.event.decision_id, None)
        ):
            answered.set()

    def latest(self, kind: str, scope: Scope) -> Resolution | None:
        """How the last decision of this kind in exactly this scope was taken."""
        return self._cell.state.decisions.latest(kind, scope)

    def decided(self, kind: str, scope: Scope) -> tuple[Decided, ...]:
        """Of this kind in exactly this scope, the latest first."""
        decided = self._cell.state.decisions.decided.values()
        return tuple(each for each in reversed(tuple(decided)) if each.kind == kind and each.scope == scope)

    async def answered_questions(self, scope: Scope) -> list[tuple[str, str]]:
        """What was asked in this scope before, with the answers; waits for the one that is still open."""
        log = self._cell.state.decisions
        decided = [(each.title, each.resolution) for each in log.decided.values() if each.is_question_in(scope)]
        still_open = [
            (each.decision.title, await self.answer_to(key))
            for key, each in log.open.items()
            if each.decision.kind == "input" and each.scope == scope
        ]
        return [(question, answer.text or answer.choice) for question, answer in (*decided, *still_open)]

    def question_alike(self, scope: Scope, question: str) -> DecisionId | None:
        """One with the same words in the same run, be it answered or not. A refusal to answer counts as none."""
        words = " ".join(question.lower().split())
        log = self._cell.state.decisions
        pending = ((key, each.decision.kind, each.decision.title, each.scope) for key, each in log.open.items())
        decided = (
            (key, each.kind, each.title, each.scope)
            for key, each in log.decided.items()
            if each.resolution.choice != "cancel"
        )
        for key, kind, title, asked_in in (*pending, *decided):
            if kind == "input" and asked_in.run_id == scope.run_id and " ".join(title.lower().split()) == words:
                return key
        return None

    async def request(self, decision: Decision, scope: Scope) -> None:
        await self._journal.append(DecisionRequested(decision=decision), scope)

    async def ask(self, decision: Decision, scope: Scope) -> Resolution:
        """Puts it to a person and waits; what was answered since a restart is not asked again."""
        if (answer := self._unclaimed.pop(_question(decision, scope), None)) is not None:
            return answer
        await self.request(decision, scope)
        return await self.answer_to(decision.decision_id)

    async def answer_to(self, decision_id: DecisionId) -> Resolution:
        """Waits for it, however long the person takes."""
        while (decided := self._cell.state.decisions.resolution(decision_id)) is None:
            await self._answered.setdefault(decision_id, anyio.Event()).wait()
        return decided

    def check_approval(self, decision_id: DecisionId, choice: str) -> None:
        """Raises BadParams for what is answered in words, or by naming an agent: those have commands of their own."""
        pending = self.pending.get(decision_id)
        if pending is not None and pending.decision.kind in _ANSWERED_WITH and choice != "cancel":
            raise _wrong_command(pending.decision)

    async def resolve(
        self,
        decision_id: DecisionId,
        choice: str,
        *,
        by: ResolvedBy,
        edits: dict[str, Any] | None = None,
        text: str | None = None,
    ) -> Resolution:
        """Once it is a fact. Raises NotFound, BadParams for what was not offered, Conflict with what was decided."""
        async with self._journal.undisturbed() as append:
            if (decided := self._cell.state.decisions.resolution(decision_id)) is not None:
                raise Conflict(f"This was already decided: {decided.choice}.", {"decision": decided.to_wire()})
            pending = self.pending.get(decision_id)
            if pending is None:
                raise NotFound(f"There is no decision {decision_id} in this session.")
            _check_choice(pending.decision, choice)
            _check_edits(pending.decision, edits)
            if by == "user":
                await self._remember(pending.decision, choice)
            is_awaited = decision_id in self._answered
            resolved = DecisionResolved(decision_id=decision_id, choice=choice, by=by, edits=edits, text=text)
            await append(resolved, pending.scope)
        answer = await self.answer_to(decision_id)
        if not is_awaited and pending.decision.kind in _ASKED_BY_CALLS:
            self._unclaimed[_question(pending.decision, pending.scope)] = answer
        return answer

    async def _remember(self, decision: Decision, choice: str) -> None:
        """Before the answer is told: the next call of the same tool goes by it."""
        if isinstance(decision, ToolDecision) and choice in _FOR_GOOD:
            tool = decision.detail
            await to_thread.run_sync(self.tool_choices.remember, tool.server, tool.tool, tool.pin, _FOR_GOOD[choice])

    async def resolve_unless_answered(self, decision_id: DecisionId, *, by: ResolvedBy) -> None:
        """Nothing waits for it any more. Whoever was faster has decided it."""
        try:
            await self.resolve(decision_id, "cancel", by=by)
        except Conflict:
            return


# A call waits for the answer, and may be made again after a restart.
_ASKED_BY_CALLS: Final = frozenset({"command", "tool", "memory"})
_FOR_GOOD: Final[Mapping[str, ToolChoice]] = {"always": "always", "never": "never"}
_Question: TypeAlias = tuple[Scope, str, str]


def _question(decision: Decision, scope: Scope) -> _Question:
    return scope, decision.kind, decision.detail.model_dump_json()


# How a question is decided that was answered in words.
ANSWER: Final = "answer"
_ANSWERED_WITH: Final = {"input": "teamwright.respond", "override": "teamwright.override"}


class PlanEdit(Wire):
    """Another plan, only some tasks of it, or both."""

    plan: Maybe[Plan] = None
    tasks: Maybe[tuple[str, ...]] = Field(default=None, min_length=1)


class ChangesEdit(Wire):
    files: tuple[FileChoice, ...]


def _check_choice(decision: Decision, choice: str) -> None:
    # A question is answered in one's own words; everything else offers what it offers.
    offered = [ANSWER] if decision.kind == "input" else [each.id for each in decision.choices]
    if choice in {*offered, "cancel"}:
        return
    if choice == ANSWER or decision.kind in _ANSWERED_WITH:
        raise _wrong_command(decision)
    raise BadParams([FieldError(path="choice", message=f"must be one of {', '.join(offered)}")])


def _wrong_command(decision: Decision) -> BadParams:
    command = _ANSWERED_WITH.get(decision.kind, "teamwright.approve")
    return BadParams([FieldError(path="decisionId", message=f"is a decision of kind {decision.kind}; use {command}")])


def _check_edits(decision: Decision, edits: dict[str, Any] | None) -> None:
    """Said now, while it can still be mended: an edit that cannot be read is no yes to anything."""
    if edits is None:
        return
    match decision:
        case PlanDecision(detail=detail):
            edit = parse_params(PlanEdit, edits)
            known = {task.id for task in (edit.plan or detail.plan).tasks}
            if unknown := [task for task in edit.tasks or () if task not in known]:
                raise BadParams([FieldError(path="tasks", message=f"there is no task {unknown[0]!r} in the plan")])
        case ChangesDecision():
            parse_params(ChangesEdit, edits)
        case RunDecision():
            parse_params(RunSpecEdit, edits)
        case _:
            message = f"a decision of kind {decision.kind} cannot be edited"
            raise BadParams([FieldError(path="edits", message=message)])
