"""Where the database belongs. What has left its place, or is damaged while it is open, is brought back there."""

import sqlite3
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from teamwright.store.errors import StoreError, store_error
from teamwright.store.locks import Owner, SessionLocks
from teamwright.store.opening import FileIdentity, Opened, open_database, recover_database
from teamwright.store.repair.salvage import Salvage, Salvaged, counted
from teamwright.store.search_index import REBUILT, mend_index


class DatabaseHome:
    """For the thread that writes."""

    def __init__(self, path: Path, owner: Owner, locks: SessionLocks) -> None:
        self._path = path
        self._owner = owner
        self._locks = locks

    def is_left(self, identity: FileIdentity | None) -> bool:
        """Whether the file that we have open is no longer the one at its path."""
        return FileIdentity.at(self._path) != identity

    def moved_back(self, stray: Opened) -> Opened:
        """What we have open is at its path again, with all that it held. Raises StoreError."""
        gone = self._gone()
        try:
            opened = open_database(self._path, self._owner)
        except StoreError as fault:
            if gone is None:
                raise
            raise StoreError(f"{gone} was deleted while Teamwright was at work. {fault}") from fault
        try:
            salvaged = self._bring(stray.connection, opened.connection, everything=gone is not None)
        except sqlite3.Error as fault:
            opened.connection.close()
            raise store_error(fault, self._path) from fault
        return replace(opened, notice=self._told(gone, salvaged))

    def mended(self, damaged: Opened, attempt: int) -> Opened | None:
        """After as many attempts in vain; None when there is nothing more to try. Raises StoreError."""
        if attempt == 0:
            with suppress(sqlite3.Error):
                mend_index(damaged.connection)
                return replace(damaged, notice=REBUILT)
        if attempt > 1:
            return None
        notice = recover_database(self._path, self._owner)
        return replace(open_database(self._path, self._owner), notice=notice)

    def _gone(self) -> Path | None:
        """The outermost of what is missing."""
        places = (*reversed(self._path.parents), self._path)
        return next((place for place in places if not place.exists()), None)

    def _bring(self, stray: sqlite3.Connection, home: sqlite3.Connection, *, everything: bool) -> Salvaged:
        """Where somebody else has made it anew, what is ours alone is still to be brought: the sessions we write to."""
        salvage = Salvage(home)
        home.execute("BEGIN IMMEDIATE")
        try:
            salvage.take_connection(stray, None if everything else self._locks.held_now.__contains__)
            salvaged = salvage.finish()
            home.execute("COMMIT")
        finally:
            if home.in_transaction:
                home.execute("ROLLBACK")
        return salvaged

    def _told(self, gone: Path | None, salvaged: Salvaged) -> str:
        kept = counted(salvaged.sessions, "session")
        if gone is None:
            return f"{self._path} was replaced while Teamwright was at work; what is open here went along ({kept})."
        return f"{gone} was deleted while Teamwright was at work; it has been made again, with {kept}."
