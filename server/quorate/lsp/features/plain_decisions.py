"""Decisions for a client that knows only LSP: a message with its choices. Dismissed means cancelled."""

from typing import Any, Final, assert_never

import anyio

from quorate.lsp.handlers.desk import Desk
from quorate.lsp.transport.messages import mapping
from quorate.lsp.transport.methods import Methods
from quorate.lsp.transport.peer import PeerError
from quorate.protocol.commands import ApproveParams, OverrideParams, RespondParams
from quorate.protocol.decisions import (
    BudgetDecision,
    ChangesDecision,
    CommandDecision,
    Decision,
    InputDecision,
    OverrideDecision,
    PlanDecision,
    ResumeDecision,
    RunDecision,
)
from quorate.protocol.errors import UserError
from quorate.protocol.events import DecisionRequested, DecisionResolved
from quorate.protocol.ids import AgentId, DecisionId, RunId
from quorate.protocol.records import EventRecord

_LISTED: Final = 5


def register(methods: Methods, desk: Desk) -> None:
    del methods
    if not desk.peer.knows_our_protocol:
        desk.client.follow(PlainDecisions(desk))


class PlainDecisions:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        # None until the question is put.
        self._asked: dict[DecisionId, anyio.CancelScope | None] = {}

    def __call__(self, record: EventRecord) -> None:
        match record.event:
            case DecisionRequested() if record.session_id in self._desk.supervisor.foreign:
                # It is asked where it can be answered.
                pass
            case DecisionRequested(decision=decision):
                self._asked[decision.decision_id] = None
                self._desk.errands.start(self._ask, decision, record.run_id)
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
                answer = await self._desk.peer.request("window/showMessageRequest", _question(decision), deadline=None)
                # Our own answer, too, is heard as the decision's end.
                with anyio.CancelScope(shield=True):
                    await self._resolve(decision, run_id, mapping(answer).get("title"))
            except PeerError:
                # It was not shown to anybody: the decision stays open.
                pass
            except UserError as fault:
                self._desk.peer.notify("window/showMessage", {"type": 2, "message": fault.message})
        self._asked.pop(decision.decision_id, None)

    async def _resolve(self, decision: Decision, run_id: RunId | None, title: object) -> None:
        supervisor, decision_id = self._desk.supervisor, decision.decision_id
        choice = next((each.id for each in decision.choices if each.label == title), "cancel")
        if isinstance(decision, ChangesDecision) and title is None:
            # They stay proposed: nothing is thrown away because a message was waved aside.
            return
        if isinstance(decision, OverrideDecision) and run_id is not None:
            agent_id = AgentId(choice) if choice != "cancel" else None
            await supervisor.override(OverrideParams(run_id=run_id, agent_id=agent_id))
        elif isinstance(decision, InputDecision) and choice != "cancel":
            await supervisor.respond(RespondParams(decision_id=decision_id, text=choice))
        else:
            approved = choice == "approve"
            await supervisor.approve(ApproveParams(decision_id=decision_id, choice="approve" if approved else "cancel"))


def _question(decision: Decision) -> dict[str, Any]:
    lines = [decision.title, *_details(decision)]
    return {
        "type": 3,
        "message": "\n".join(lines),
        "actions": [{"title": choice.label} for choice in decision.choices],
    }


def _details(decision: Decision) -> list[str]:
    match decision:
        case RunDecision(detail=detail):
            estimate = detail.estimate
            cost = f"Estimated cost: {estimate.usd_low:.2f} to {estimate.usd_high:.2f} USD" if estimate else ""
            agents = "Agents: " + ", ".join(detail.spec.agents)
            # The title has the task's first line.
            rest = detail.spec.task.strip().partition("\n")[2].strip()
            return [line for line in (rest, detail.reason, agents, cost) if line]
        case PlanDecision(detail=detail):
            return _listed([task.title for task in detail.plan.tasks])
        case ChangesDecision(detail=detail):
            return _listed([f"{change.kind} {change.uri}" for change in detail.changes])
        case CommandDecision(detail=detail):
            return [" ".join(detail.argv), f"in {detail.cwd}"]
        case ResumeDecision(detail=detail):
            return [detail.task, detail.done]
        case InputDecision() if not decision.choices:
            return [f"Answer with the command quorate.respond and the id {decision.decision_id}."]
        case InputDecision() | OverrideDecision() | BudgetDecision():
            return []
        case _:
            assert_never(decision)


def _listed(lines: list[str]) -> list[str]:
    rest = len(lines) - _LISTED
    return [*lines[:_LISTED], *([f"and {rest} more"] if rest > 0 else [])]
