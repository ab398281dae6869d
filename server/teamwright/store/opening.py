"""A database opened: its tables, one of an earlier version brought to this one, a broken one put aside."""

import os
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from teamwright.store.directories import make_private_directory, open_private
from teamwright.store.errors import StoreError, is_damage, store_error
from teamwright.store.locks import FileLock, Owner

_BUSY_SECONDS = 5.0
# No statement of ours attaches a file, or makes what would run by itself.
_NEVER = {
    sqlite3.SQLITE_ATTACH,
    sqlite3.SQLITE_DETACH,
    sqlite3.SQLITE_CREATE_TRIGGER,
    sqlite3.SQLITE_CREATE_TEMP_TRIGGER,
    sqlite3.SQLITE_CREATE_VIEW,
    sqlite3.SQLITE_CREATE_TEMP_VIEW,
}
_TABLES = {"sessions", "events", "texts"}
Condition = Literal["fresh", "ours", "newer", "foreign", "damaged"]
APPLICATION_ID = 0x54575254  # "TWRT", by which we know a database for ours
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


@dataclass(frozen=True, slots=True)
class Opened:
    connection: sqlite3.Connection
    # A sentence for the user when something had to be put out of the way.
    notice: str | None


def open_database(path: Path, owner: Owner) -> Opened:
    """A connection for writing. Raises StoreError with what to do, and then leaves the file as it is."""
    try:
        make_private_directory(path.parent)
        notice = _clear_the_way(path, owner)
        os.close(open_private(path))
        connection = connect(path)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            migrate(connection)
        except sqlite3.Error:
            connection.close()
            raise
        return Opened(connection, notice)
    except (sqlite3.Error, OSError) as fault:
        raise store_error(fault, path) from fault


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = FULL")
    # Without it macOS says "written" when the drive's cache has the bytes; elsewhere it means nothing.
    connection.execute("PRAGMA fullfsync = ON")
    harden(connection)
    return connection


def harden(connection: sqlite3.Connection) -> None:
    """What a database file says of itself is not believed: neither its schema nor the sizes in its cells."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    # Only by this way can the schema be written past its own statements; from Python 3.12 on SQLite refuses it itself.
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    connection.set_authorizer(_authorize)


def _authorize(action: int, first: str | None, second: str | None, database: str | None, through: str | None) -> int:
    del second, database, through
    if action in _NEVER or (action == sqlite3.SQLITE_PRAGMA and (first or "").lower() == "writable_schema"):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _clear_the_way(path: Path, owner: Owner) -> str | None:
    condition = _condition(path)
    if condition == "newer":
        raise StoreError(
            f"{path} is of a newer version of Teamwright and was left as it is: update Teamwright, "
            "or choose another place by TEAMWRIGHT_STATE_DIR."
        )
    if condition in {"fresh", "ours"}:
        return None
    lock = FileLock.take(path.with_name("repair.lock"), owner)
    if lock is None:
        raise StoreError(f"Another window is just putting the damaged {path} aside: try again.")
    try:
        # Looked at again under the lock: another window may have cleared the way in between.
        condition = _condition(path)
        return _set_aside(path, condition) if condition in {"foreign", "damaged"} else None
    finally:
        lock.give_back()


def _condition(path: Path) -> Condition:
    if not path.exists() or path.stat().st_size == 0:
        return "fresh"
    # Read-only, so that not even a checkpoint touches a file that turns out not to be ours to change.
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
    try:
        harden(connection)
        application: int = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if application != APPLICATION_ID:
            return "foreign" if application or tables else "fresh"
        if version_of(connection) > len(MIGRATIONS):
            return "newer"
        if not tables >= _TABLES:
            return "damaged"
        if connection.execute("SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1").fetchone():
            # We make none: somebody else has had the file in their hands.
            return "foreign"
        connection.execute("SELECT max(place) FROM events").fetchone()
        connection.execute("SELECT max(number) FROM sessions").fetchone()
    except sqlite3.DatabaseError as fault:
        if not is_damage(fault):
            raise
        return "damaged"
    else:
        return "ours"
    finally:
        connection.close()


def _set_aside(path: Path, condition: Condition) -> str:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    aside = path.with_name(f"{path.stem}.{condition}-{stamp}{path.suffix}")
    # The file itself goes last: a log of changes that stayed behind alone would be applied to the new file.
    for companion in ("-wal", "-shm", ""):
        source = path.with_name(path.name + companion)
        if source.exists():
            kept = source.rename(aside.with_name(aside.name + companion))
            kept.chmod(0o600)
    what = "is not a history of Teamwright" if condition == "foreign" else "is damaged"
    return f"{path} {what}; it was kept as {aside.name} and a new history was begun."
