"""How alike two answers are."""

import re

from quorate.protocol.runs import Strictness

# The share of words in common from which on an answer is no news.
_TOO_ALIKE: dict[Strictness, float | None] = {"lenient": None, "balanced": 0.7, "strict": 0.5}


def is_duplicate(one: str, other: str) -> bool:
    return one.split() == other.split()


def is_too_alike(one: str, other: str, requirement: Strictness) -> bool:
    most = _TOO_ALIKE[requirement]
    if most is None:
        return False
    words, others = _words(one), _words(other)
    return bool(words) and len(words & others) / len(words | others) > most


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
