"""What a reader of an instruction file does not see and a model does: unseen characters, and what Markdown hides."""

import re
from collections.abc import Iterator
from typing import Final

from teamwright.protocol.visible_text import visible

_MOST_LINES: Final = 5
# Our own marks in files that we keep are no words.
_OURS: Final = re.compile(r"<!-- /?teamwright:[\w-]+ -->")
_HIDDEN: Final = re.compile(
    r"<!--|^\s{0,3}\[[^\]]*\]:\s|<[^>]*\b(?:hidden|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0)",
    re.IGNORECASE,
)


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
    for number, line in enumerate(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), 1):
        if visible(line) != line or _HIDDEN.search(_OURS.sub("", line)):
            yield number
