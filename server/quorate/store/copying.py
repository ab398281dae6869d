"""A log under a new session's name: for forks, and for imports."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from pydantic_core import from_json, to_json

from quorate.protocol.errors import BadParams, FieldError
from quorate.protocol.events import SessionCreated, SessionUpdated
from quorate.protocol.ids import SessionId
from quorate.protocol.records import EventRecord, read_record
from quorate.protocol.views import SessionSummary
from quorate.store.open_ends import closing_records, last_quiet_seq
from quorate.store.rows import Row, row_of, summary_in


@dataclass(frozen=True, slots=True)
class LogCopy:
    """What a new session begins with."""

    rows: tuple[Row, ...]
    summary: SessionSummary


def forked(log: Sequence[bytes], source: SessionSummary, target: SessionId, at: datetime) -> LogCopy:
    """Up to the last point where no turn was under way; as a session that is new at this moment."""
    copies = [_Copied.of(body, target, seq) for seq, body in enumerate(log, 1)]
    copies = copies[: last_quiet_seq(_records(copies))]
    records = _records(copies)
    summary = (_last_summary(records) or source).model_copy(update={"session_id": target, "created_at": at})
    return _settled(copies, closing_records(records, at), summary, at)


def imported(log: Sequence[str], target: SessionId, at: datetime) -> LogCopy:
    """The log as it is. Only if it leaves something open, records are added."""
    copies = [_Copied.of(body, target, seq) for seq, body in enumerate(log, 1)]
    records = _records(copies)
    summary = _last_summary(records)
    if summary is None or records[0].seq != 1 or not isinstance(records[0].event, SessionCreated):
        raise _not_a_log("its first record must be a session.created")
    for record in records:
        if not record.event.durable:
            raise _not_a_log(f"record {record.seq} is of a kind that is never stored")
    closing = closing_records(records, at)
    if closing:
        return _settled(copies, closing, summary, at)
    return LogCopy(tuple(copy.row() for copy in copies), summary)


@dataclass(frozen=True, slots=True)
class _Copied:
    """The JSON is kept as it is but for the address: what this version does not know in it may be a newer one's."""

    body: str
    record: EventRecord | None

    @classmethod
    def of(cls, body: str | bytes, target: SessionId, seq: int) -> "_Copied":
        text = _readdressed(body, target, seq)
        record = read_record(text)
        return cls(text, record if isinstance(record, EventRecord) else None)

    def row(self) -> Row:
        return Row(self.body) if self.record is None else row_of(self.record, self.body)


def _readdressed(body: str | bytes, target: SessionId, seq: int) -> str:
    try:
        data = from_json(body)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        return body if isinstance(body, str) else body.decode(errors="replace")
    data["sessionId"], data["seq"] = target, seq
    event = cast("dict[str, Any]", data).get("event")
    session = cast("dict[str, Any]", event).get("session") if isinstance(event, dict) else None
    if isinstance(session, dict):
        session["sessionId"] = target
    return to_json(data).decode()


def _settled(
    copies: Sequence[_Copied], closing: Sequence[EventRecord], summary: SessionSummary, at: datetime
) -> LogCopy:
    summary = summary.model_copy(update={"updated_at": at, "pending_decisions": 0, "busy": False})
    described = EventRecord(seq=None, at=at, session_id=summary.session_id, event=SessionUpdated(session=summary))
    added = [
        record.model_copy(update={"seq": seq}) for seq, record in enumerate((*closing, described), len(copies) + 1)
    ]
    return LogCopy((*(copy.row() for copy in copies), *map(row_of, added)), summary)


def _records(copies: Iterable[_Copied]) -> list[EventRecord]:
    return [copy.record for copy in copies if copy.record is not None]


def _last_summary(records: Sequence[EventRecord]) -> SessionSummary | None:
    return next((found for record in reversed(records) if (found := summary_in(record.event))), None)


def _not_a_log(reason: str) -> BadParams:
    return BadParams([FieldError(path="text", message=f"this is not an exported session: {reason}")])
