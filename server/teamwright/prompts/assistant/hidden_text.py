"""What a reader of an instruction file does not see and a model does: unseen characters, and what Markdown hides."""

import re
from collections import deque
from collections.abc import Iterator
from typing import Final

from teamwright.protocol.visible_text import visible

_MOST_LINES: Final = 5
# Our own marks in files that we keep are no words.
_OURS: Final = re.compile(r"<!-- /?teamwright:[\w-]+ -->")
# What Markdown makes nothing of: comments, declarations and the like, and what a link or a note is defined by, also in
# a list or a quotation.
_UNDRAWN: Final = r"<[!?]|^[ \t>*+\d.)-]*\[[^\]\n]*\]:"
# Elements that are drawn as nothing, or folded away, or so that nobody can read them; their marks may take many lines.
_UNREAD: Final = (
    r"<(?:script|style|template|noscript|details|object|iframe|svg|math)\b"
    r"|<[a-z][^<>]*\b(?:hidden|style|color|bgcolor|(?:title|alt|(?:aria|data)-[a-z-]+)\s*=\s*[\"'][^\"'<>]{60})"
)
# Sentences where a picture's name or a hint belongs.
_INSTEAD: Final = r"!\[[^\]\n]{60}|\]\([^()\s]*\s+[\"'(][^\n]{60}"
# Behind so many blanks that it stands beyond the edge of the window.
_FAR_AWAY: Final = r"(?<![ \t])[ \t]{60,}\S"
_HIDDEN: Final = re.compile(f"{_UNDRAWN}|{_UNREAD}|{_INSTEAD}|{_FAR_AWAY}", re.IGNORECASE | re.MULTILINE)


def hidden_text(source: str, text: str) -> str | None:
    """A sentence for the user, with the lines; None where everything can be seen."""
    lines = list(_lines(text))
    if not lines:
        return None
    named = ", ".join(map(str, lines[:_MOST_LINES]))
    more = f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else ""
    noun = "line" if len(lines) == 1 else "lines"
    return (
        f"{source} holds text that its reader does not see and the assistant does, at {noun} {named}{more}. "
        "Open the file and look at it before you go on."
    )


def _lines(text: str) -> Iterator[int]:
    """From 1; a byte order mark at the very beginning is nobody's word."""
    plain = _OURS.sub("", text.removeprefix("\ufeff").replace("\r\n", "\n"))
    places = deque(found.start() for found in _HIDDEN.finditer(plain))
    end = 0
    for number, line in enumerate(plain.split("\n"), 1):
        end += len(line) + 1
        is_undrawn = bool(places) and places[0] < end
        while places and places[0] < end:
            places.popleft()
        if is_undrawn or visible(line) != line:
            yield number
