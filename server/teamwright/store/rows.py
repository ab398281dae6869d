"""A record as a row: its JSON, and beside it what it is looked up by."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zlib import crc32

from teamwright.protocol.decisions import RunDecision
from teamwright.protocol.events import (
    AnyEvent,
    DecisionRequested,
    DecisionResolved,
    FindingReported,
    ItemFinished,
    RunFinished,
    RunStarted,
    SessionCreated,
    SessionUpdated,
    TurnFinished,
    TurnQueued,
    TurnStarted,
)
from teamwright.protocol.items import AssistantMessage, Presentation, UserMessage
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import SessionSummary

_SEQ_BITS = 32
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Row(NamedTuple):
    body: str
    run_id: str | None = None
    # The turn, decision or finding that begins with this record, and the decision that ends with it.
    subject: str | None = None
    # What the full-text search finds it by.
    text: str | None = None
    # The turn or run that begins with this record, and the one that ends with it.
    begins: str | None = None
    ends: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a list of sessions needs, kept beside the log it was taken from."""

    updated_at: int
    project: str | None
    words: str
    summary: str
    checksum: int

    @classmethod
    def of(cls, session: SessionSummary) -> "Preview":
        # Whether it is at work is known only to the process that works on it.
        summary = session.model_copy(update={"busy": False}).to_json()
        return cls(
            updated_at=microseconds(session.updated_at),
            project=session.project,
            words=folded("\n".join((session.title, session.last_message, session.project or ""))),
            summary=summary,
            checksum=checksum_of(summary),
        )


def row_of(record: EventRecord, body: str | None = None) -> Row:
    return Row(
        body or record.to_json(), record.run_id, _subject(record), _text(record.event), _begun(record), _ended(record)
    )


def summary_in(event: AnyEvent) -> SessionSummary | None:
    return event.session if isinstance(event, SessionCreated | SessionUpdated) else None


def checksum_of(text: str | bytes) -> int:
    """By which a text is known for what was written."""
    return crc32(text.encode() if isinstance(text, str) else text)


def place(number: int, seq: int) -> int:
    """Where a record stands in the table: all of a session together, in their order."""
    return number << _SEQ_BITS | seq


def last_place(number: int) -> int:
    return place(number + 1, 0) - 1


def seq_at(place: int) -> int:
    return place & (1 << _SEQ_BITS) - 1


def microseconds(at: datetime) -> int:
    """Since 1970, in UTC: what the database sorts by."""
    return (at - _EPOCH) // timedelta(microseconds=1)


def moment(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)


def folded(text: str) -> str:
    """So that a search does not mind the case of letters, in any script."""
    return text.casefold()


def _subject(record: EventRecord) -> str | None:
    match record.event:
        case TurnQueued() | TurnStarted():
            return record.turn_id
        case DecisionRequested(decision=decision):
            return decision.decision_id
        case DecisionResolved(decision_id=decision_id):
            return decision_id
        case FindingReported(finding=finding):
            return finding.finding_id
        case _:
            return None


def _begun(record: EventRecord) -> str | None:
    match record.event:
        case TurnQueued() | TurnStarted():
            return record.turn_id
        case RunStarted() | DecisionRequested(decision=RunDecision()):
            return record.run_id
        case _:
            return None


def _ended(record: EventRecord) -> str | None:
    match record.event:
        case TurnFinished():
            return record.turn_id
        case RunFinished():
            return record.run_id
        case _:
            return None


def _text(event: AnyEvent) -> str | None:
    match event:
        case ItemFinished(item=UserMessage() | AssistantMessage() | Presentation() as item) if not item.discarded:
            return item.text
        case _:
            return None
