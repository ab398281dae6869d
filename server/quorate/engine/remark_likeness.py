"""Whether two remarks of a review are about the same thing."""

import re
from typing import Final

from quorate.protocol.findings import Finding

ALIKE: Final = 0.5
_TITLES, _WORDS, _SEVERITY = 0.5, 0.4, 0.1
_ENDINGS: Final = re.compile(r"(?<=\w{3})(?:ions?|ings?|ed|es|s|e|y)$")
_WORD: Final = re.compile(r"[^\W_]+")
_EMPTY: Final = frozenset(
    _WORD.findall(
        "a an and are as at be but by can could does do for from has have if in into is it its may might no not of on "
        "or should so than that the then there this to use was when where which will with would you"
    )
)


def likeness(one: Finding, other: Finding) -> float:
    """From 0 to 1. Remarks on different files, or on lines that do not overlap, are never alike: 0."""
    if one.uri != other.uri or not _overlap(one, other):
        return 0.0
    words, others = _words(f"{one.title} {one.detail}"), _words(f"{other.title} {other.detail}")
    titles = (_share(_words(one.title), others) + _share(_words(other.title), words)) / 2
    return _TITLES * titles + _WORDS * _common(words, others) + _SEVERITY * (one.severity == other.severity)


def _overlap(one: Finding, other: Finding) -> bool:
    first, last = _lines(one)
    others_first, others_last = _lines(other)
    return first <= others_last and others_first <= last


def _lines(finding: Finding) -> tuple[int, int]:
    """The first and the last line. An end at the start of a line does not touch that line."""
    start, end = finding.range.start, finding.range.end
    last = end.line - 1 if end.character == 0 else end.line
    return start.line, max(start.line, last)


def _share(words: frozenset[str], others: frozenset[str]) -> float:
    return len(words & others) / len(words) if words else 0.0


def _common(words: frozenset[str], others: frozenset[str]) -> float:
    return 2 * len(words & others) / (len(words) + len(others)) if words or others else 0.0


def _words(text: str) -> frozenset[str]:
    """Without those that say nothing, and without endings: agents word the same thing differently."""
    found = _WORD.findall(text.casefold())
    return frozenset(_ENDINGS.sub("", word) for word in found if word not in _EMPTY)
