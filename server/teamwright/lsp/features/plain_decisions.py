"""Decisions for a client that knows only LSP: a message with its choices. Dismissed means cancelled."""

import json
import shlex
from typing import Any, Final, assert_never

import anyio

from teamwright.engine.transcript.words import named_scope, without_gaps
from teamwright.lsp.features.context import FeatureContext
from teamwright.lsp.transport.messages import mapping
from teamwright.lsp.transport.peer import PeerError
from teamwright.protocol.commands import ApproveParams, OverrideParams, RespondParams
from teamwright.protocol.decisions import (
    BudgetDecision,
    ChangesDecision,
    CommandDecision,
    Decision,
    InputDecision,
    MemoryDecision,
    OverrideDecision,
    PlanDecision,
    ResumeDecision,
    RunDecision,
    RunDetail,
    ToolDecision,
)
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import DecisionRequested, DecisionResolved
from teamwright.protocol.ids import AgentId, DecisionId, RunId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.visible_text import spoken

_LISTED: Final = 20
_LONGEST: Final = 2_000


class PlainDecisions:
    def __init__(self, context: FeatureContext) -> None:
        self._context = context
        # None until the question is put.
        self._asked: dict[DecisionId, anyio.CancelScope | None] = {}

    def __call__(self, record: EventRecord) -> None:
        match record.event:
            case DecisionRequested() if self._context.application.is_written_elsewhere(record.session_id):
                # It is asked where it can be answered.
                pass
            case DecisionRequested(decision=decision):
                self._asked[decision.decision_id] = None
                self._context.background.start(self._ask, decision, record.run_id)
            case DecisionResolved(decision_id=decision_id):
                if (asked := self._asked.pop(decision_id, None)) is not None:
                    asked.cancel()
            case _:
                pass

    async def _ask(self, decision: Decision, run_id: RunId | None) -> None:
        if decision.decision_id not in self._asked:
            return
        with anyio.CancelScope() as asked:
            self._asked[decision.decision_id] = asked
            try:
                answer = await self._context.peer.request(
                    "window/showMessageRequest", _question(decision), deadline=None
                )
                # Our own answer, too, is heard as the decision's end.
                with anyio.CancelScope(shield=True):
                    await self._resolve(decision, run_id, mapping(answer).get("title"))
            except PeerError:
                # It was not shown to anybody: the decision stays open.
                pass
            except UserError as fault:
                self._context.peer.say("warning", fault.message)
        self._asked.pop(decision.decision_id, None)

    async def _resolve(self, decision: Decision, run_id: RunId | None, title: object) -> None:
        commands, decision_id = await self._context.commands(), decision.decision_id
        from teamwright.application import decisions  # noqa: PLC0415 - loaded by now

        choice = next((each.id for each in decision.choices if each.label == title), "cancel")
        if isinstance(decision, ChangesDecision) and title is None:
            # They stay proposed: nothing is thrown away because a message was waved aside.
            return
        if isinstance(decision, OverrideDecision) and run_id is not None:
            agent_id = AgentId(choice) if choice != "cancel" else None
            await decisions.override(commands, OverrideParams(run_id=run_id, agent_id=agent_id))
        elif isinstance(decision, InputDecision) and choice != "cancel":
            await decisions.respond(commands, RespondParams(decision_id=decision_id, text=choice))
        else:
            answer = "cancel" if isinstance(decision, InputDecision) else choice
            await decisions.approve(commands, ApproveParams(decision_id=decision_id, choice=answer))


def _question(decision: Decision) -> dict[str, Any]:
    lines = [decision.title, *_details(decision)]
    return {
        "type": 3,
        "message": spoken(without_gaps("\n".join(lines))),
        "actions": [{"title": choice.label} for choice in decision.choices],
    }


def _details(decision: Decision) -> list[str]:
    match decision:
        case RunDecision(detail=detail):
            return _run(detail)
        case PlanDecision(detail=detail):
            return [_cut(f"{task.title}: {task.detail}" if task.detail else task.title) for task in detail.plan.tasks]
        case ChangesDecision(detail=detail):
            return _listed([f"{change.kind} {change.uri}" for change in detail.changes])
        case CommandDecision(detail=detail):
            return [shlex.join(detail.argv), f"in {detail.cwd}"]
        case ToolDecision() | MemoryDecision():
            return _told(decision)
        case ResumeDecision(detail=detail):
            return [detail.task, detail.done]
        case InputDecision() if not decision.choices:
            return [f"Answer with the command teamwright.respond and the id {decision.decision_id}."]
        case InputDecision() | OverrideDecision() | BudgetDecision():
            return []
        case _:
            assert_never(decision)


def _run(detail: RunDetail) -> list[str]:
    spec, estimate = detail.spec, detail.estimate
    lines = [
        # The title has only the beginning of the task's first line.
        _cut(spec.task.strip()),
        detail.reason,
        "Agents: " + ", ".join(spec.agents),
        *(
            f"{named_scope(scope.path)} {'may be changed' if scope.permission == 'write' else 'is read'}"
            for scope in detail.files
        ),
        f"Estimated cost: {estimate.usd_low:.2f} to {estimate.usd_high:.2f} USD" if estimate else "",
        *(f"Instructions for {agent}: {_cut(words)}" for agent, words in spec.agent_system_prompts.items()),
        f"Context: {_cut(spec.context)}" if spec.context else "",
    ]
    return [line for line in lines if line]


def _cut(text: str) -> str:
    rest = len(text) - _LONGEST
    return f"{text[:_LONGEST]} … and {rest:,} characters more, which are not shown" if rest > 0 else text


def _told(decision: ToolDecision | MemoryDecision) -> list[str]:
    match decision:
        case ToolDecision(detail=detail):
            lines = [
                detail.description,
                json.dumps(detail.arguments, ensure_ascii=False),
                *(f"Its server says: {trait.replace('_', ' ')}" for trait in detail.traits),
            ]
        case MemoryDecision(detail=detail):
            lines = [detail.text, f"From {detail.origin}"]
    return [_cut(line) for line in lines if line]


def _listed(lines: list[str]) -> list[str]:
    rest = len(lines) - _LISTED
    return [*lines[:_LISTED], *([f"and {rest} more"] if rest > 0 else [])]
