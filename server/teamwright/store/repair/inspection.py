"""Whether a database is whole: its pages, every record by its checksum, and the index of texts."""

import sqlite3
from dataclasses import dataclass

from teamwright.store.repair.salvage import Incomplete, counted
from teamwright.store.rows import seq_at
from teamwright.store.search_index import is_index_whole


@dataclass(frozen=True, slots=True)
class Inspection:
    sessions: int
    records: int
    # By the title of their session.
    damaged: tuple[Incomplete, ...]
    has_broken_pages: bool

    @property
    def is_whole(self) -> bool:
        return not self.damaged and not self.has_broken_pages


def inspect(connection: sqlite3.Connection) -> Inspection:
    """Looks at everything but the index of texts. Raises sqlite3.Error where it cannot be read at all."""
    broken = not _are_pages_whole(connection)
    records, damaged = 0, list[Incomplete]()
    titles = _titles(connection)
    for number, title in titles.items():
        whole, last = _count(connection, number)
        records += whole
        if last != whole:
            damaged.append(Incomplete(title, last - whole))
    return Inspection(len(titles), records, tuple(damaged), broken)


def faults_in(seen: Inspection) -> list[str]:
    """What is amiss, in sentences."""
    faults = [f"{counted(missing, 'record')} of “{title}” cannot be read." for title, missing in seen.damaged]
    return ["Parts of the file are broken.", *faults] if seen.has_broken_pages else faults


def index_fault(connection: sqlite3.Connection) -> str | None:
    """For a connection that may write."""
    return None if is_index_whole(connection) else "The index that texts are found by is broken."


def _are_pages_whole(connection: sqlite3.Connection) -> bool:
    try:
        return connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except sqlite3.DatabaseError:
        return False


def _titles(connection: sqlite3.Connection) -> dict[int, str]:
    found = connection.execute(
        "SELECT number, iif(json_valid(summary), json_extract(summary, '$.title'), NULL) FROM sessions ORDER BY number"
    )
    return {number: title or "Damaged preview" for number, title in found}


def _count(connection: sqlite3.Connection, number: int) -> tuple[int, int]:
    """Records that are as they were written, and where the last one stands."""
    whole = last = 0
    try:
        for place, is_whole in connection.execute(
            "SELECT place, body != '' AND (checksum IS NULL OR checksum = crc32(CAST(body AS BLOB))) FROM events "
            "WHERE place >= ? << 32 AND place < ? + 1 << 32 ORDER BY place",
            (number, number),
        ):
            whole += is_whole
            last = seq_at(place)
    except sqlite3.DatabaseError:
        # A page is broken in the middle: what follows it is not counted, but told.
        last = max(last, whole + 1)
    return whole, last
