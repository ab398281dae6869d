"""What waits for a person in any session of the workspace, whoever writes to it."""

import sqlite3

from quorate.protocol.decisions import Decision
from quorate.protocol.events import DecisionRequested
from quorate.protocol.records import EventRecord, read_record


def open_decisions(connection: sqlite3.Connection) -> tuple[Decision, ...]:
    """Oldest session first. A decision is the subject of its request and of its resolution: open ones occur once."""
    found = connection.execute(
        "SELECT CAST(body AS BLOB) FROM events JOIN sessions ON number = place >> 32 "
        "WHERE subject >= 'dec_' AND subject < 'dec`' AND deleted_at IS NULL "
        "GROUP BY number, subject HAVING count(*) = 1 ORDER BY place"
    )
    records = (read_record(body) for (body,) in found)
    return tuple(
        record.event.decision.model_copy(update={"session_id": record.session_id, "run_id": record.run_id})
        for record in records
        if isinstance(record, EventRecord) and isinstance(record.event, DecisionRequested)
    )
