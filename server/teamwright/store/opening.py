"""A database opened, whatever lies at its path: brought to this version, put aside, or brought back."""

import os
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from teamwright.store.directories import make_private_directory, open_private
from teamwright.store.errors import StoreError, is_of_the_moment, store_error
from teamwright.store.locks import FileLock, Owner
from teamwright.store.repair.copies import DatabaseCopies
from teamwright.store.repair.salvage import Salvaged, salvage_into
from teamwright.store.schema import (
    APPLICATION_ID,
    BUSY_SECONDS,
    MIGRATIONS,
    PROBES,
    PROBES_BY_VERSION,
    TABLES,
    connect,
    connect_read_only,
    migrate,
    version_of,
)
from teamwright.store.search_index import REBUILT, is_index_usable, mend_index

Condition = Literal["missing", "empty", "ours", "older", "newer", "foreign", "damaged"]
_LOOK_AGAIN_SECONDS = 0.02


class FileIdentity(NamedTuple):
    """Which file it is, whatever its name."""

    device: int
    inode: int

    @classmethod
    def at(cls, path: Path) -> "FileIdentity | None":
        try:
            found = path.stat()
        except OSError:
            return None
        return cls(found.st_dev, found.st_ino)


@dataclass(frozen=True, slots=True)
class Opened:
    connection: sqlite3.Connection
    # A sentence for the user when something had to be put out of the way.
    notice: str | None
    identity: FileIdentity | None = None


def open_database(path: Path, owner: Owner) -> Opened:
    """A connection for writing. Raises StoreError with what to do, and then leaves the file as it is."""
    try:
        make_private_directory(path.parent)
        notice = _clear_the_way(path, owner)
        if path.stat().st_mode & 0o777 != 0o600:
            path.chmod(0o600)
        opened = _connected(path, notice)
        return opened if is_index_usable(opened.connection) else _with_usable_index(path, opened, owner)
    except (sqlite3.Error, OSError) as fault:
        raise store_error(fault, path) from fault


def _connected(path: Path, notice: str | None) -> Opened:
    identity = FileIdentity.at(path)
    connection = connect(path)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error:
        connection.close()
        raise
    return Opened(connection, notice, identity)


def _with_usable_index(path: Path, opened: Opened, owner: Owner) -> Opened:
    try:
        mend_index(opened.connection)
    except sqlite3.Error as fault:
        opened.connection.close()
        if is_of_the_moment(fault):
            raise
        with _repairing(path, owner):
            notice = _recover(path, "damaged")
        return _connected(path, notice)
    return replace(opened, notice=opened.notice or REBUILT)


def recover_database(path: Path, owner: Owner) -> str:
    """Whatever its condition: it is put aside, and what can be read of it goes into a new one. Tells what became of it.

    Other processes notice before they acknowledge anything that the file is another.
    """
    try:
        with _repairing(path, owner):
            return _recover(path, "damaged")
    except (sqlite3.Error, OSError) as fault:
        raise store_error(fault, path) from fault


def condition_of(path: Path) -> Condition:
    if not path.exists():
        return "missing"
    if path.stat().st_size == 0:
        return "empty"
    with closing(connect_read_only(path)) as connection:
        try:
            return _condition(connection)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as fault:
            if isinstance(fault, sqlite3.DatabaseError) and is_of_the_moment(fault):
                raise
            return "damaged"


def _condition(connection: sqlite3.Connection) -> Condition:
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if application != APPLICATION_ID:
        return "foreign" if application or tables else "empty"
    version = version_of(connection)
    if version > len(MIGRATIONS):
        return "newer"
    if not tables >= TABLES:
        return "damaged"
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1").fetchone():
        # We make none: somebody else has had the file in their hands.
        return "foreign"
    for statement in PROBES:
        connection.execute(statement).fetchone()
    for since, statements in PROBES_BY_VERSION.items():
        for statement in statements if version >= since else ():
            connection.execute(statement).fetchone()
    return "ours" if version == len(MIGRATIONS) else "older"


def _clear_the_way(path: Path, owner: Owner) -> str | None:
    condition = condition_of(path)
    if condition == "newer":
        raise StoreError(
            f"{path} is of a newer version of Teamwright and was left as it is: update Teamwright, "
            "or choose another place by TEAMWRIGHT_STATE_DIR."
        )
    if condition == "ours":
        return None
    # Whoever makes the first one is soon done; bringing one back takes its time.
    patience = 0 if condition in {"damaged", "foreign"} else BUSY_SECONDS
    with _repairing(path, owner, patience):
        # Looked at again under the lock: another window may have cleared the way in between.
        return _cleared(path, condition_of(path))


def _cleared(path: Path, condition: Condition) -> str | None:
    match condition:
        case "ours" | "newer":
            return None
        case "older":
            _migrate(path)
            return None
        case "foreign":
            aside = _set_aside(path, condition)
            _make(path)
            return f"{path} is not a history of Teamwright{_kept_as(aside)} and a new history was begun."
        case "damaged":
            return _recover(path, condition)
        case "missing" | "empty":
            if not _was_there(path):
                _make(path)
                return None
            return _recover(path, condition)


def _migrate(path: Path) -> None:
    with closing(connect(path)) as connection:
        DatabaseCopies(path).keep_before(version_of(connection), datetime.now(UTC))
        migrate(connection)


def _make(path: Path) -> None:
    if not path.exists():
        os.close(open_private(path))
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection)


def _was_there(path: Path) -> bool:
    """Whether there was a history: its log of changes, a copy, or the locks of those who wrote to it are left."""
    log = path.with_name(path.name + "-wal")
    has_log = log.exists() and log.stat().st_size > 0
    return has_log or path.with_name("locks").exists() or _unfinished(path).exists() or bool(_copies(path))


def _recover(path: Path, condition: Condition) -> str:
    # Made before anything is moved: whoever finds it goes on where we were killed.
    unfinished = _unfinished(path)
    is_resumed = condition == "missing" and unfinished.exists()
    for companion in ("", "-wal", "-shm"):
        unfinished.with_name(unfinished.name + companion).unlink(missing_ok=True)
    os.close(open_private(unfinished))
    aside = _newest_aside(path) if is_resumed else _set_aside(path, "damaged")
    sources = [*([aside] if aside is not None else []), *_copies(path)]
    with closing(connect(unfinished)) as connection:
        migrate(connection)
        salvaged = salvage_into(connection, sources)
        # A log of changes beside it would have to be moved along.
        connection.execute("PRAGMA journal_mode = DELETE")
    unfinished.replace(path)
    return _told(path, condition, aside, salvaged)


def _told(path: Path, condition: Condition, aside: Path | None, salvaged: Salvaged) -> str:
    what = {"missing": "is missing", "empty": "is empty"}.get(condition, "is damaged")
    kept = "" if condition in {"missing", "empty"} else _kept_as(aside)
    if not salvaged.sessions:
        return f"{path} {what}{kept} and a new history was begun. No session could be brought back."
    return f"{path} {what}{kept}. {salvaged}"


def _kept_as(aside: Path | None) -> str:
    return "" if aside is None else f"; it was kept as {aside.name}"


def _set_aside(path: Path, condition: Literal["damaged", "foreign"]) -> Path | None:
    """None when nothing is there to be kept."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    aside = path.with_name(f"{path.stem}.{condition}-{stamp}{path.suffix}")
    kept = None
    # The file itself goes last: a log of changes that stayed behind alone would be applied to the new file.
    for companion in ("-wal", "-shm", ""):
        source = path.with_name(path.name + companion)
        if source.exists() and source.stat().st_size == 0:
            source.unlink()
        elif source.exists():
            source.rename(aside.with_name(aside.name + companion)).chmod(0o600)
            kept = aside
    return kept


def _newest_aside(path: Path) -> Path | None:
    return max(path.parent.glob(f"{path.stem}.damaged-*{path.suffix}"), default=None)


def _unfinished(path: Path) -> Path:
    return path.with_name(f"{path.stem}.recovering{path.suffix}")


def _copies(path: Path) -> list[Path]:
    return DatabaseCopies(path).newest_first()


@contextmanager
def _repairing(path: Path, owner: Owner, patience: float = 0) -> Generator[None]:
    until = time.monotonic() + patience
    while (lock := FileLock.take(path.with_name("repair.lock"), owner)) is None:
        if time.monotonic() >= until:
            raise StoreError(f"Another window is just putting the damaged {path} aside: try again.")
        time.sleep(_LOOK_AGAIN_SECONDS)
    try:
        yield
    finally:
        lock.give_back()
