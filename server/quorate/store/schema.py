"""The tables, and how a database of an earlier version becomes one of this version."""

import sqlite3
from collections.abc import Sequence

APPLICATION_ID = 0x51554F52  # "QUOR", by which we know a database for ours

# `place` is `session << 32 | seq`: the records of a session lie side by side in one tree, and a hit of the search says
# where it is without a second index. `AUTOINCREMENT`, so that no session ever inherits the place of a purged one.
Migration = tuple[str, ...]
MIGRATIONS: tuple[Migration, ...] = (
    (
        """CREATE TABLE sessions (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            session_id TEXT NOT NULL UNIQUE,
            updated_at INTEGER NOT NULL,
            project TEXT,
            words TEXT NOT NULL,
            summary TEXT NOT NULL,
            deleted_at INTEGER
        )""",
        "CREATE INDEX sessions_by_time ON sessions (updated_at, number) WHERE deleted_at IS NULL",
        """CREATE TABLE events (
            place INTEGER PRIMARY KEY,
            run_id TEXT,
            subject TEXT,
            body TEXT NOT NULL
        )""",
        "CREATE INDEX events_by_run ON events (run_id) WHERE run_id IS NOT NULL",
        "CREATE INDEX events_by_subject ON events (subject) WHERE subject IS NOT NULL",
        "CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')",
    ),
    (
        # The turns and runs that have begun and not ended, so that a start finds them without reading every log.
        "CREATE TABLE open_work (session INTEGER, thing TEXT, PRIMARY KEY (session, thing)) WITHOUT ROWID",
        """WITH facts AS (
            SELECT place >> 32 AS session, run_id, json_extract(body, '$.turnId') AS turn_id,
                json_extract(body, '$.event.type') AS type, json_extract(body, '$.event.decision.kind') AS kind
            FROM events WHERE json_valid(body)
        )
        INSERT INTO open_work
            SELECT session, turn_id FROM facts WHERE turn_id IS NOT NULL AND type IN ('turn.queued', 'turn.started')
            UNION
            SELECT session, run_id FROM facts WHERE run_id IS NOT NULL AND (type = 'run.started' OR kind = 'run')
            EXCEPT
            SELECT session, iif(type = 'turn.finished', turn_id, run_id) FROM facts
                WHERE type IN ('turn.finished', 'run.finished')""",
    ),
)


def version_of(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """All or nothing, and safe against another process that does the same at the same time."""
    if version_of(connection) >= len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for migration in migrations[version_of(connection) :]:
            for statement in migration:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
