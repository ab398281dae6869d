"""Copies of a database that are kept beside it: one a day, and one before its tables are changed. Only the latest."""

import os
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Final

from teamwright.store.directories import make_private_directory, open_private
from teamwright.store.repair.inspection import faults_in, inspect
from teamwright.store.schema import connect_read_only

_DAILY, _BEFORE = "daily", "before"
_KEPT: Final = {_DAILY: 3, _BEFORE: 2}
# Of all copies together. One is kept whatever its size, as long as the disk has room.
_MOST_BYTES: Final = 2 << 30
_PAGES_AT_ONCE: Final = 1000
_ABANDONED_SECONDS: Final = 24 * 3_600


class CopyGivenUp(Exception):
    """Somebody wants to leave; the copy can wait."""


class DatabaseCopies:
    def __init__(self, database: Path) -> None:
        self._database = database
        self.directory = database.with_name("copies")
        self._leaving = threading.Event()

    def leave(self) -> None:
        """What is being copied is given up."""
        self._leaving.set()

    def newest_first(self) -> list[Path]:
        return sorted(self.directory.glob("sessions.*-*.db"), key=lambda path: path.stat().st_mtime_ns, reverse=True)

    def keep_daily(self, today: date) -> list[str]:
        """Once a day, of a database that is whole; else what is amiss with it, in sentences. Raises sqlite3.Error."""
        target = self.directory / f"sessions.{_DAILY}-{today.isoformat()}.db"
        if target.exists():
            return []
        with closing(connect_read_only(self._database)) as source:
            source.set_progress_handler(self._leaving.is_set, 100_000)
            try:
                return self._kept_daily(source, target)
            except (CopyGivenUp, sqlite3.OperationalError):
                if self._leaving.is_set():
                    return []
                raise

    def _kept_daily(self, source: sqlite3.Connection, target: Path) -> list[str]:
        if source.execute("SELECT 1 FROM sessions LIMIT 1").fetchone() is None:
            return []
        faults = faults_in(inspect(source))
        if not faults:
            self._copy(source, target)
        return faults

    def keep_before(self, version: int, at: datetime) -> None:
        """Of a database whose tables are about to be changed. Raises sqlite3.Error and OSError."""
        with closing(connect_read_only(self._database)) as source:
            self._copy(source, self.directory / f"sessions.{_BEFORE}-version-{version}-{at:%Y%m%dT%H%M%SZ}.db")

    def _copy(self, source: sqlite3.Connection, target: Path) -> None:
        size = self._database.stat().st_size
        make_private_directory(self.directory)
        if shutil.disk_usage(self.directory).free < 2 * size:
            return
        # Of this process alone: another window may be about the same.
        part = target.with_suffix(f".{os.getpid()}.part")
        part.unlink(missing_ok=True)
        os.close(open_private(part))
        try:
            with closing(sqlite3.connect(part, isolation_level=None)) as copy:
                # One look for all of it: what is written meanwhile belongs to the next copy.
                source.execute("BEGIN")
                source.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
                source.backup(copy, pages=_PAGES_AT_ONCE, progress=self._stop_if_leaving, sleep=0)
                source.execute("ROLLBACK")
                # A file by itself, without a log beside it.
                copy.execute("PRAGMA journal_mode = DELETE")
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        self._remove_oldest()

    def _stop_if_leaving(self, _status: int, _remaining: int, _total: int) -> None:
        if self._leaving.is_set():
            raise CopyGivenUp

    def _remove_oldest(self) -> None:
        for part in self.directory.glob("*.part"):
            # Whoever made it was killed.
            if part.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
                part.unlink(missing_ok=True)
        kept: list[Path] = []
        counts = dict.fromkeys(_KEPT, 0)
        for path in self.newest_first():
            kind = _BEFORE if f".{_BEFORE}-" in path.name else _DAILY
            counts[kind] += 1
            size = sum(each.stat().st_size for each in (*kept, path))
            if counts[kind] > _KEPT[kind] or (kept and size > _MOST_BYTES):
                path.unlink(missing_ok=True)
            else:
                kept.append(path)
