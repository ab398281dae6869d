"""From a path to a database that is surely ours, whatever lay there before. Nothing is ever overwritten."""

import os
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from quorate.store.errors import StoreError, is_damage, store_error
from quorate.store.locks import FileLock, Owner
from quorate.store.private_files import make_private_directory, open_private
from quorate.store.schema import APPLICATION_ID, MIGRATIONS, migrate, version_of

_BUSY_SECONDS = 5.0
_TABLES = {"sessions", "events", "texts"}

Condition = Literal["fresh", "ours", "newer", "foreign", "damaged"]


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
    return connection


def _clear_the_way(path: Path, owner: Owner) -> str | None:
    condition = _condition(path)
    if condition == "newer":
        raise StoreError(
            f"{path} is of a newer version of Quorate and was left as it is: update Quorate, "
            "or choose another place by QUORATE_STATE_DIR."
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
        application: int = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if application != APPLICATION_ID:
            return "foreign" if application or tables else "fresh"
        if version_of(connection) > len(MIGRATIONS):
            return "newer"
        if not tables >= _TABLES:
            return "damaged"
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
            source.rename(aside.with_name(aside.name + companion))
    what = "is not a history of Quorate" if condition == "foreign" else "is damaged"
    return f"{path} {what}; it was kept as {aside.name} and a new history was begun."
