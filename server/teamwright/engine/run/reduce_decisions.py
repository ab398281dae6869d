"""What persons were asked, and what they decided."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never

from pydantic import TypeAdapter, ValidationError

from teamwright.engine.run.budget import budget_granted
from teamwright.engine.run.state import Approved, ChangesVerdict, Override, PendingDecision, Refused, RunState, Verdict
from teamwright.protocol.changes import FileChoice
from teamwright.protocol.decisions import Decision, InputDecision
from teamwright.protocol.events import DecisionResolved
from teamwright.protocol.ids import AgentId
from teamwright.protocol.records import EventRecord

_FILES = TypeAdapter(tuple[FileChoice, ...])


def decision_requested(state: RunState, record: EventRecord, decision: Decision) -> RunState:
    agent_id = record.agent_id
    if isinstance(decision, InputDecision):
        agent_id = agent_id or decision.detail.agent_id
    pending = {**state.pending, decision.decision_id: PendingDecision(decision.kind, agent_id)}
    # Between the last fact and the question whether to go on, nobody was there to work.
    since = state.last_fact_at if decision.kind == "resume" else record.at
    return replace(state, pending=pending, clock=state.clock.stop(since))


def decision_resolved(state: RunState, record: EventRecord, event: DecisionResolved) -> RunState:
    decision = state.pending.get(event.decision_id)
    if decision is None:
        return state
    pending = {key: each for key, each in state.pending.items() if key != event.decision_id}
    clock = state.clock if pending else state.clock.go_on(record.at)
    state = replace(state, pending=pending, clock=clock)
    match decision.kind:
        case "override":
            return _override(state, event)
        case "budget":
            return _budget(state, event)
        case "plan":
            return replace(state, planning=replace(state.planning, verdict=_verdict(event)))
        case "changes":
            return replace(state, changes=replace(state.changes, verdict=_changes(event)))
        case "resume":
            return state if event.choice == "approve" else replace(state, cancel_requested=True)
        case "run" | "input" | "command" | "tool" | "memory":
            # A run that has started needs no approval any more.
            return state
        case _:
            assert_never(decision.kind)


def _verdict(event: DecisionResolved) -> Verdict:
    return Approved(event.edits, event.text or "") if event.choice == "approve" else Refused()


def _override(state: RunState, event: DecisionResolved) -> RunState:
    if event.by == "cancelled":
        # Withdrawn, not answered: the window opens again.
        return state
    chosen = state.agents.get(AgentId(event.choice)) if event.by == "user" else None
    choice = chosen.agent_id if chosen is not None and chosen.latest is not None else None
    return replace(state, override=Override(closed=True, choice=choice))


def _budget(state: RunState, event: DecisionResolved) -> RunState:
    if event.choice != "approve":
        return replace(state, budget=replace(state.budget, refused=True))
    return budget_granted(state)


def _changes(event: DecisionResolved) -> ChangesVerdict:
    if event.choice != "approve":
        return ChangesVerdict(approved=False)
    edits: Mapping[str, Any] = event.edits or {}
    if edits.get("files") is None:
        return ChangesVerdict(approved=True, by_policy=event.by != "user")
    try:
        return ChangesVerdict(approved=True, files=_FILES.validate_python(edits["files"]))
    except ValidationError:
        # A choice that cannot be read is not a yes to anything.
        return ChangesVerdict(approved=False)
