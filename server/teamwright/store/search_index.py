"""The index that texts are found by. It holds nothing that the logs do not: where it is broken, it is made anew."""

import sqlite3

from teamwright.store.schema import SEARCH_INDEX

# The same texts as `rows.row_of` gives the index, one record after the other.
_SEARCHABLE = """
    SELECT place, text FROM (
        SELECT place, json_extract(body, '$.event.item.text') AS text FROM events
        WHERE (checksum IS NULL OR checksum = crc32(CAST(body AS BLOB))) AND iif(json_valid(body),
            json_extract(body, '$.event.type') = 'item.finished'
            AND json_extract(body, '$.event.item.kind') IN ('user_message', 'assistant_message', 'presentation')
            AND NOT coalesce(json_extract(body, '$.event.item.discarded'), 0), 0)
    ) WHERE text != ''"""


REBUILT = "The index that texts are found by was broken; it has been made anew."


def is_index_usable(connection: sqlite3.Connection) -> bool:
    """A quick look: whether there is any sense in asking it."""
    try:
        connection.execute("SELECT rowid FROM texts WHERE rowid < 0").fetchone()
    except sqlite3.DatabaseError:
        return False
    return True


def mend_index(connection: sqlite3.Connection) -> None:
    """In a transaction of its own. Raises sqlite3.DatabaseError where not even that can be done."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        rebuild_index(connection)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def rebuild_index(connection: sqlite3.Connection) -> None:
    """In the transaction of whoever calls."""
    connection.execute("DROP TABLE IF EXISTS texts")
    connection.execute(SEARCH_INDEX)
    fill_index(connection)


def fill_index(connection: sqlite3.Connection) -> None:
    connection.execute(f"INSERT INTO texts (rowid, text) {_SEARCHABLE}")


def is_index_whole(connection: sqlite3.Connection) -> bool:
    """Whether it is sound in itself and has everything that was said. Looks at all of it."""
    try:
        connection.execute("INSERT INTO texts (texts) VALUES ('integrity-check')")
        missing = connection.execute(f"{_SEARCHABLE} EXCEPT SELECT rowid, text FROM texts LIMIT 1")  # noqa: S608
        return missing.fetchone() is None
    except sqlite3.DatabaseError:
        return False
