"""How long a session has been at work: neither idle, nor only waiting for a person, nor gone with its server."""

from collections.abc import Callable
from datetime import datetime, timedelta

from quorate.protocol.decisions import ResumeDecision
from quorate.protocol.events import (
    DecisionRequested,
    DecisionResolved,
    RunFinished,
    RunStarted,
    TurnFinished,
    TurnStarted,
)
from quorate.protocol.records import EventRecord

# Nothing else sets a session to work, or lets it rest.
_TURNING_POINT = TurnStarted | TurnFinished | RunStarted | RunFinished | DecisionRequested | DecisionResolved


class TimeAtWork:
    def __init__(self, is_at_work: Callable[[], bool]) -> None:
        """`is_at_work` knows each record before this is told of it."""
        self._is_at_work = is_at_work
        self._counted = timedelta()
        self._since: datetime | None = None
        self._latest: datetime | None = None

    def fold(self, record: EventRecord) -> None:
        event = record.event
        if isinstance(event, _TURNING_POINT):
            is_taken_up = isinstance(event, DecisionRequested) and isinstance(event.decision, ResumeDecision)
            # Between the last fact of one server and the first of the next nobody was at work.
            until = self._latest if is_taken_up and self._latest is not None else record.at
            self._counted += timedelta() if self._since is None else until - self._since
            self._since = record.at if self._is_at_work() else None
        self._latest = record.at

    def seconds(self, at: datetime) -> float:
        under_way = timedelta() if self._since is None else at - self._since
        return (self._counted + under_way).total_seconds()
