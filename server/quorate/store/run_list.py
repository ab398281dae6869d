"""The runs of a workspace, from the index of the records that belong to one."""

import sqlite3

from quorate.protocol.ids import RunId, SessionId
from quorate.store.port import RunPlace


def list_runs(
    connection: sqlite3.Connection, *, session_id: SessionId | None, project: str | None, limit: int
) -> tuple[RunPlace, ...]:
    """Newest first, which their ids sort by."""
    conditions = ["run_id IS NOT NULL", "deleted_at IS NULL"]
    values: list[str] = []
    if session_id is not None:
        conditions.append("session_id = ?")
        values.append(session_id)
    if project is not None:
        conditions.append("project = ?")
        values.append(project)
    # With a bare min() SQLite takes the other columns from the row that has it.
    found = connection.execute(
        "SELECT session_id, run_id, min(place) FROM events JOIN sessions ON number = place >> 32 "  # noqa: S608, constants
        f"WHERE {' AND '.join(conditions)} GROUP BY run_id ORDER BY run_id DESC LIMIT ?",
        (*values, limit),
    )
    return tuple(RunPlace(SessionId(session), RunId(run)) for session, run, _ in found)
