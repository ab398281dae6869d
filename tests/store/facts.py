"""Facts to fill a log with."""

from datetime import UTC, datetime
from typing import Any

from teamwright.protocol.decisions import Choice, InputDecision, InputDetail
from teamwright.protocol.events import (
    AgentStopped,
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    FindingReported,
    ItemFinished,
    ItemStarted,
    RunFinished,
    RunStarted,
    SessionCreated,
    SessionUpdated,
    TurnFinished,
    TurnQueued,
    TurnStarted,
    VoteCast,
)
from teamwright.protocol.findings import Finding
from teamwright.protocol.ids import AgentId, DecisionId, FindingId, ItemId, RunId, SessionId, TurnId
from teamwright.protocol.items import AssistantMessage, Item, Position, Range, UserMessage
from teamwright.protocol.records import EventRecord
from teamwright.protocol.runs import ResolvedRunSpec
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import SessionSummary

AT = datetime(2026, 11, 16, 8, 30, tzinfo=UTC)
SES = SessionId("ses_1")
RUN = RunId("run_1")


def fact(session_id: SessionId, event: DurableEvent, **envelope: Any) -> EventRecord:
    return EventRecord(seq=None, at=AT, session_id=session_id, event=event, **envelope)


def summary(session_id: SessionId, **fields: Any) -> SessionSummary:
    defaults: dict[str, Any] = {"title": "Rate limiter", "created_at": AT, "updated_at": AT}
    return SessionSummary(session_id=session_id, **(defaults | fields))


def created(session_id: SessionId = SES, **fields: Any) -> EventRecord:
    return fact(session_id, SessionCreated(session=summary(session_id, **fields)))


def updated(session_id: SessionId = SES, **fields: Any) -> EventRecord:
    return fact(session_id, SessionUpdated(session=summary(session_id, **fields)))


def finished(item: Item, session_id: SessionId = SES, **envelope: Any) -> EventRecord:
    return fact(session_id, ItemFinished(item=item), **envelope)


def begun(item: Item, session_id: SessionId = SES, **envelope: Any) -> EventRecord:
    return fact(session_id, ItemStarted(item=item), **envelope)


def said(text: str, session_id: SessionId = SES, *, item_id: str = "item_1", **envelope: Any) -> EventRecord:
    return finished(AssistantMessage(item_id=ItemId(item_id), text=text), session_id, **envelope)


def vote(session_id: SessionId = SES, *, reason: str = "It is shorter.", run_id: RunId = RUN) -> EventRecord:
    return fact(session_id, VoteCast(target=AgentId("b"), reason=reason), run_id=run_id, agent_id=AgentId("a"))


def turn_queued(turn: str, session_id: SessionId = SES) -> EventRecord:
    return fact(session_id, TurnQueued(text="And then?"), turn_id=TurnId(turn))


def turn_started(turn: str, session_id: SessionId = SES) -> EventRecord:
    return fact(session_id, TurnStarted(text="And then?"), turn_id=TurnId(turn))


def turn_finished(turn: str, session_id: SessionId = SES) -> EventRecord:
    return fact(session_id, TurnFinished(outcome="completed", usage=Usage(calls=1)), turn_id=TurnId(turn))


def whole_turn(turn: str, asked: str, answered: str, session_id: SessionId = SES) -> list[EventRecord]:
    question = UserMessage(item_id=ItemId(f"item_{turn}_q"), text=asked)
    answer = AssistantMessage(item_id=ItemId(f"item_{turn}_a"), text=answered)
    turn_id = TurnId(turn)
    return [
        turn_started(turn, session_id),
        begun(question, session_id, turn_id=turn_id),
        finished(question, session_id, turn_id=turn_id),
        begun(answer.model_copy(update={"text": ""}), session_id, turn_id=turn_id),
        finished(answer, session_id, turn_id=turn_id),
        turn_finished(turn, session_id),
    ]


def run_started(run_id: RunId = RUN, session_id: SessionId = SES) -> EventRecord:
    agents = (AgentId("a"), AgentId("b"))
    spec = ResolvedRunSpec(task="Review the limiter", agent_mode="multi", agents=agents, refinement=True)
    return fact(session_id, RunStarted(spec=spec), run_id=run_id)


def agent_stopped(usage: Usage, run_id: RunId = RUN, session_id: SessionId = SES) -> EventRecord:
    return fact(
        session_id, AgentStopped(attempt=1, reason="answered", usage=usage), run_id=run_id, agent_id=AgentId("a")
    )


def run_finished(run_id: RunId = RUN, session_id: SessionId = SES) -> EventRecord:
    return fact(session_id, RunFinished(outcome="completed", usage=Usage(calls=7)), run_id=run_id)


def asked(decision: str, session_id: SessionId = SES) -> EventRecord:
    question = InputDecision(
        decision_id=DecisionId(decision),
        title="A question",
        choices=(Choice(id="yes", label="Yes"),),
        detail=InputDetail(question="Which port?"),
    )
    return fact(session_id, DecisionRequested(decision=question))


def decided(decision: str, session_id: SessionId = SES) -> EventRecord:
    return fact(session_id, DecisionResolved(decision_id=DecisionId(decision), choice="yes", by="user"))


def found(finding: str, session_id: SessionId = SES) -> EventRecord:
    place = Range(start=Position(line=1, character=0), end=Position(line=1, character=4))
    remark = Finding(
        finding_id=FindingId(finding),
        uri="file:///limiter.py",
        range=place,
        severity="warning",
        title="Unused name",
        detail="It is never read.",
    )
    return fact(session_id, FindingReported(finding=remark), run_id=RUN)


def numbered(*records: EventRecord, after: int = 0) -> tuple[EventRecord, ...]:
    return tuple(record.model_copy(update={"seq": seq}) for seq, record in enumerate(records, after + 1))
