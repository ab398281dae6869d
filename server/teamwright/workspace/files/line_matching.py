"""Lines that match a pattern.

Only the standard library is used, because this file also runs as a program of its own: a regular expression that a
model wrote can take for ever, and a process can be killed where a thread cannot.
"""

import json
import os
import re
import sys
from collections.abc import Sequence

_LONGEST_LINE = 300
_MOST_BEFORE_MATCH = 100
_MOST_MEMORY_BYTES = 1_000_000_000
# Of the processor, not of the clock: a busy machine makes no pattern expensive.
_MOST_SECONDS = 2


def matching_lines(text: str, pattern: re.Pattern[str], limit: int) -> list[tuple[int, str]]:
    """The number, from 1, and the text of each line where a match starts."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found: list[tuple[int, str]] = []
    position, line, counted_to = 0, 1, 0
    while position <= len(text) and len(found) < limit:
        match = pattern.search(text, position)
        if match is None or (match.start() == len(text) and text.endswith("\n")):
            break
        start = match.start()
        line += text.count("\n", counted_to, start)
        counted_to = start
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        shown_from = max(text.rfind("\n", 0, start) + 1, start - _MOST_BEFORE_MATCH)
        found.append((line, text[shown_from : min(end, shown_from + _LONGEST_LINE)]))
        position = end + 1
    return found


def matches_in(texts: Sequence[str], pattern: re.Pattern[str], limit: int) -> list[tuple[int, int, str]]:
    """Of several texts: which one, then the line's number and text."""
    found: list[tuple[int, int, str]] = []
    for index, text in enumerate(texts):
        lines = matching_lines(text, pattern, limit - len(found))
        found += [(index, number, line) for number, line in lines]
    return found


def compiled(pattern: str, *, ignore_case: bool) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE | (re.IGNORECASE if ignore_case else 0))


def _limit_resources() -> None:
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    try:
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY_BYTES, _MOST_MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ValueError, OSError):
        return


def _answer(texts: list[str], pattern: str, limit: int, *, ignore_case: bool) -> dict[str, object]:
    try:
        expression = compiled(pattern, ignore_case=ignore_case)
    except (re.error, RecursionError, OverflowError) as fault:
        return {"fault": str(fault)}
    return {"found": matches_in(texts, expression, limit)}


if __name__ == "__main__":
    _limit_resources()
    with os.fdopen(1, "wb") as output:
        output.write(json.dumps(_answer(**json.load(sys.stdin.buffer))).encode("ascii"))
