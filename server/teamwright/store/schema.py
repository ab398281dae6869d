"""The tables, how one version of them becomes the next, and the connections that are trusted with them."""

import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

BUSY_SECONDS = 5.0
# No statement of ours attaches a file, or makes what would run by itself.
_NEVER = {
    sqlite3.SQLITE_ATTACH,
    sqlite3.SQLITE_DETACH,
    sqlite3.SQLITE_CREATE_TRIGGER,
    sqlite3.SQLITE_CREATE_TEMP_TRIGGER,
    sqlite3.SQLITE_CREATE_VIEW,
    sqlite3.SQLITE_CREATE_TEMP_VIEW,
}
TABLES = {"sessions", "events", "texts"}
APPLICATION_ID = 0x54575254  # "TWRT", by which we know a database for ours
SEARCH_INDEX = "CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')"
# The turns and runs that have begun and not ended, so that a start finds them without reading every log.
FILL_OPEN_WORK = """WITH facts AS (
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
            WHERE type IN ('turn.finished', 'run.finished')"""
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
        SEARCH_INDEX,
    ),
    (
        "CREATE TABLE open_work (session INTEGER, thing TEXT, PRIMARY KEY (session, thing)) WITHOUT ROWID",
        FILL_OPEN_WORK,
    ),
    (
        # By these a bit that was flipped on the disk is noticed. SQLite itself checks only that a page makes sense.
        "ALTER TABLE events ADD COLUMN checksum INTEGER",
        "UPDATE events SET checksum = crc32(CAST(body AS BLOB))",
        "ALTER TABLE sessions ADD COLUMN checksum INTEGER",
        "UPDATE sessions SET checksum = crc32(CAST(summary AS BLOB))",
    ),
)
# What every statement of ours stands on: where one of these cannot be prepared, the schema is damaged.
PROBES: tuple[str, ...] = (
    "SELECT number, session_id, updated_at, project, words, summary, deleted_at FROM sessions WHERE number < 0",
    "SELECT place, run_id, subject, body FROM events WHERE place < 0",
    "SELECT place FROM events INDEXED BY events_by_run WHERE run_id IS NOT NULL AND run_id < ''",
    "SELECT place FROM events INDEXED BY events_by_subject WHERE subject IS NOT NULL AND subject < ''",
    "SELECT max(place) FROM events",
    "SELECT max(number) FROM sessions",
)
PROBES_BY_VERSION: dict[int, tuple[str, ...]] = {
    2: ("SELECT session, thing FROM open_work WHERE session < 0",),
    3: ("SELECT events.checksum, sessions.checksum FROM events JOIN sessions ON number = place >> 32 WHERE place < 0",),
}


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


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = FULL")
    # Without it macOS says "written" when the drive's cache has the bytes; elsewhere it means nothing.
    connection.execute("PRAGMA fullfsync = ON")
    prepare(connection)
    return connection


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Not even a checkpoint touches the file: it may turn out not to be ours to change."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
    prepare(connection)
    return connection


def prepare(connection: sqlite3.Connection) -> None:
    """What a database file says of itself is not believed: neither its schema nor the sizes in its cells."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    # Only by this way can the schema be written past its own statements; from Python 3.12 on SQLite refuses it itself.
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    connection.create_function("crc32", 1, crc32, deterministic=True)
    connection.set_authorizer(_authorize)


def _authorize(action: int, first: str | None, second: str | None, database: str | None, through: str | None) -> int:
    del second, database, through
    if action in _NEVER or (action == sqlite3.SQLITE_PRAGMA and (first or "").lower() == "writable_schema"):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK
