"""What a run's agents are told of the session before it: its latest exchanges and results. No names, bounded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from quorate.prompts.assistant.excerpts import excerpt
from quorate.prompts.assistant.quoting import quoted

LONGEST_HISTORY: Final = 12_000
_LONGEST_PART: Final = 2_000


@dataclass(frozen=True, slots=True)
class Happened:
    """Somebody's words, or what a run came to."""

    what: str
    text: str


def history_text(happened: Sequence[Happened], limit: int = LONGEST_HISTORY) -> str:
    """The latest of it, oldest first."""
    parts: list[str] = []
    room = limit
    for each in reversed(happened):
        part = quoted(each.what, excerpt(each.text.strip(), _LONGEST_PART))
        room -= len(part) + 1
        if room < 0:
            break
        parts.append(part)
    return "\n".join(reversed(parts))
