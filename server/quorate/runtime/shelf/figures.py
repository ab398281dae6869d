"""The figures of a session, folded from its log. Pure."""

from datetime import datetime

from quorate.protocol.commands import SessionStats
from quorate.protocol.events import (
    DecisionRequested,
    DecisionResolved,
    ItemFinished,
    RunFinished,
    RunStarted,
    TurnFinished,
    TurnStarted,
)
from quorate.protocol.items import AssistantMessage, UserMessage
from quorate.protocol.records import EventRecord
from quorate.runtime.session_state import SessionState


class Figures:
    """`seconds` is the time in which something was at work; waiting for a person is nobody's work."""

    def __init__(self, state: SessionState) -> None:
        self._state = state
        self._messages = 0
        self._seconds = 0.0
        self._last_at: datetime | None = None
        self._at_work: set[str] = set()
        self._waiting: set[str] = set()

    def fold(self, record: EventRecord) -> None:
        if self._last_at is not None and self._at_work and not self._waiting:
            self._seconds += max(0.0, (record.at - self._last_at).total_seconds())
        self._last_at = record.at
        self._state.fold(record)
        match record.event:
            case TurnStarted():
                self._at_work.add(record.turn_id or "")
            case TurnFinished():
                self._at_work.discard(record.turn_id or "")
            case RunStarted():
                self._at_work.add(record.run_id or "")
            case RunFinished():
                self._at_work.discard(record.run_id or "")
            case DecisionRequested(decision=decision):
                self._waiting.add(decision.decision_id)
            case DecisionResolved(decision_id=decision_id):
                self._waiting.discard(decision_id)
            case ItemFinished(item=UserMessage() | AssistantMessage() as item) if not (item.discarded or record.run_id):
                self._messages += 1
            case _:
                pass

    def stats(self) -> SessionStats:
        state = self._state
        return SessionStats(
            session_id=state.session_id,
            turns=state.turns,
            runs=len(state.runs),
            messages=self._messages,
            usage=state.spending.usage,
            cost_usd=state.spending.cost_usd,
            seconds=round(self._seconds, 3),
        )
