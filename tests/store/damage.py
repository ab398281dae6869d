"""What disks, and people, do to a database."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

PAGE = 4096


def root_page(database: Path, table: str) -> int:
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    page: int = found[0]
    return page


def overwrite(database: Path, page: int, start: int = 0, end: int = PAGE, *, seed: int = 1) -> None:
    content = bytearray(database.read_bytes())
    at = (page - 1) * PAGE
    content[at + start : at + end] = random.Random(seed).randbytes(end - start)
    database.write_bytes(content)


def break_search_index(database: Path) -> None:
    """So that whatever is looked for in it fails; its first rows say how it is made."""
    with closing(sqlite3.connect(database)) as connection, connection:
        assert connection.execute("UPDATE texts_data SET block = x'00ff00ff00ff00ff' WHERE id > 10").rowcount


def flip_letter(database: Path, text: bytes, to: bytes) -> None:
    """Wherever it stands: in the log and in the index."""
    content = database.read_bytes()
    assert text in content
    assert len(text) == len(to)
    database.write_bytes(content.replace(text, to))
