"""The envelope of an event, and how a log is read: what cannot be read is passed over, never a reason to stop."""

import json
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from pydantic import AwareDatetime, ValidationError

from teamwright.protocol.base import Maybe, Wire
from teamwright.protocol.events import EVENT_CLASSES, Event
from teamwright.protocol.ids import AgentId, RunId, SessionId, TurnId


@dataclass(frozen=True, slots=True)
class Scope:
    """What an event belongs to, besides its session."""

    turn_id: TurnId | None = None
    run_id: RunId | None = None
    agent_id: AgentId | None = None

    def of_agent(self, agent_id: AgentId) -> "Scope":
        return replace(self, agent_id=agent_id)


class EventRecord(Wire):
    v: Literal[1] = 1
    seq: int | None
    at: AwareDatetime
    session_id: SessionId | None
    turn_id: Maybe[TurnId] = None
    run_id: Maybe[RunId] = None
    agent_id: Maybe[AgentId] = None
    event: Event

    @property
    def scope(self) -> Scope:
        return Scope(self.turn_id, self.run_id, self.agent_id)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row that this version cannot read, and why, in a sentence for the notice."""

    reason: str


def read_record(row: str | bytes) -> EventRecord | Unreadable:
    """Reads one row of a log. Keys that a newer version added to a known event are passed over."""
    try:
        return EventRecord.model_validate_json(row, extra="ignore")
    except ValidationError as fault:
        return Unreadable(_reason(row, fault))


def _reason(row: str | bytes, fault: ValidationError) -> str:
    try:
        data: object = json.loads(row)
    except ValueError:
        return "A record is not JSON; it is passed over."
    event_type = _event_type(data)
    if event_type is not None and event_type not in EVENT_CLASSES:
        return f"A record of the unknown type {event_type!r} is passed over; a newer version may have written it."
    first = fault.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"A record of type {event_type!r} is damaged at {place}; it is passed over."


def _event_type(data: object) -> str | None:
    event = cast("dict[str, Any]", data).get("event") if isinstance(data, dict) else None
    kind = cast("dict[str, Any]", event).get("type") if isinstance(event, dict) else None
    return kind if isinstance(kind, str) else None
