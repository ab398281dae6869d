"""The search through what was said."""

import sqlite3

from quorate.protocol.commands import SearchHit
from quorate.protocol.ids import SessionId
from quorate.store.rows import seq_at

_SNIPPET_WORDS = 16


def search_texts(connection: sqlite3.Connection, text: str, limit: int) -> tuple[SearchHit, ...]:
    match = _match_expression(text)
    if match is None:
        return ()
    # CROSS JOIN keeps the index outermost, which is what lets it hand out its best matches first.
    found = connection.execute(
        "SELECT session_id, texts.rowid, snippet(texts, 0, '', '', '…', ?) "
        "FROM texts CROSS JOIN sessions ON number = texts.rowid >> 32 "
        "WHERE texts MATCH ? AND deleted_at IS NULL ORDER BY rank LIMIT ?",
        (_SNIPPET_WORDS, match, limit),
    )
    return tuple(
        SearchHit(session_id=SessionId(session_id), seq=seq_at(at), snippet=snippet)
        for session_id, at, snippet in found
    )


def _match_expression(text: str) -> str | None:
    """Every word quoted, so that nothing a user types is taken for an operator."""
    words = ['"' + word.replace('"', '""') + '"' for word in text.replace("\0", " ").split()]
    return " ".join(words) + "*" if words else None
