"""The search through what was said."""

import sqlite3

from quorate.protocol.commands import SearchHit
from quorate.protocol.ids import SessionId
from quorate.store.rows import seq_at

_SNIPPET_WORDS = 16
# Shorter beginnings match half of everything, and take as long.
_SHORTEST_BEGINNING = 3


def search_texts(connection: sqlite3.Connection, text: str, limit: int) -> tuple[SearchHit, ...]:
    match = _match_expression(text)
    if match is None:
        return ()
    # Newest first, because then the index stops at the limit, however common the words are; to rank the matches it
    # would have to look at every one. CROSS JOIN keeps it outermost.
    found = connection.execute(
        "SELECT session_id, texts.rowid, snippet(texts, 0, '', '', '…', ?) "
        "FROM texts CROSS JOIN sessions ON number = texts.rowid >> 32 "
        "WHERE texts MATCH ? AND deleted_at IS NULL ORDER BY texts.rowid DESC LIMIT ?",
        (_SNIPPET_WORDS, match, limit),
    )
    return tuple(
        SearchHit(session_id=SessionId(session_id), seq=seq_at(at), snippet=snippet)
        for session_id, at, snippet in found
    )


def _match_expression(text: str) -> str | None:
    """Every word quoted, so that nothing a user types is taken for an operator; the last may be a beginning."""
    words = text.replace("\0", " ").split()
    if not words:
        return None
    # Scripts that are written without spaces have short words, and what looks like one is often a whole phrase.
    is_beginning = len(words[-1]) >= _SHORTEST_BEGINNING or not words[-1].isascii()
    return " ".join('"' + word.replace('"', '""') + '"' for word in words) + ("*" if is_beginning else "")
