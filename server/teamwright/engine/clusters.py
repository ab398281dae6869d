"""Which remarks of several agents are on the same thing.

They are compared each with each, as often as there is a new one: what is compared is made ready once for each of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, groupby
from typing import Final

from teamwright.engine.run.state import ReportedFinding
from teamwright.protocol.findings import Finding, Severity

Cluster = frozenset[ReportedFinding]
_Pair = tuple[int, int]

SEVEREST_FIRST: Final[Mapping[Severity, int]] = {"error": 0, "warning": 1, "info": 2, "hint": 3}
_ALIKE: Final = 0.5
# Characters of a title or a detail: what two remarks are about is said by then.
_COMPARED_LENGTH: Final = 2_000
_TITLES, _WORDS, _SEVERITY = 0.5, 0.4, 0.1
_ENDINGS: Final = re.compile(r"(?<=\w{3})(?:ions?|ings?|ed|es|s|e|y)$")
_WORD: Final = re.compile(r"[^\W_]+")
_EMPTY: Final = frozenset(
    _WORD.findall(
        "a an and are as at be but by can could does do for from has have if in into is it its may might no not of on "
        "or should so than that the then there this to use was when where which will with would you"
    )
)


def clusters(remarks: Iterable[ReportedFinding]) -> tuple[Cluster, ...]:
    """The same whatever the order of the remarks. In a cluster each is like each other, and no agent speaks of two
    things."""
    ordered = sorted(set(remarks), key=by_weight)
    likeness = dict(_alike_pairs([_Compared.of(number, remark) for number, remark in enumerate(ordered)]))
    merged = {number: frozenset((number,)) for number in range(len(ordered))}
    # Those most alike first.
    for one, other in sorted(likeness, key=lambda pair: (-likeness[pair], pair)):
        left, right = merged[one], merged[other]
        if left is not right and all((min(a, b), max(a, b)) in likeness for a in left for b in right):
            union = left | right
            merged.update(dict.fromkeys(union, union))
    return tuple(frozenset(ordered[number] for number in numbers) for numbers in dict.fromkeys(merged.values()))


def by_weight(remark: ReportedFinding) -> tuple[int, str, int, int, str]:
    """The severest first, and no two alike."""
    finding = remark.finding
    lines = finding.range.end.line - finding.range.start.line
    return SEVEREST_FIRST[finding.severity], finding.uri, finding.range.start.line, lines, finding.finding_id


@dataclass(frozen=True, slots=True)
class _Compared:
    """What of a remark is compared. `last`: an end at the start of a line does not touch that line."""

    number: int
    agent: str
    finding: Finding
    first: int
    last: int
    title: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, number: int, remark: ReportedFinding) -> "_Compared":
        finding = remark.finding
        start, end = finding.range.start, finding.range.end
        last = max(start.line, end.line - 1 if end.character == 0 else end.line)
        title, detail = finding.title[:_COMPARED_LENGTH], finding.detail[:_COMPARED_LENGTH]
        return cls(number, remark.agent_id, finding, start.line, last, _words(title), _words(f"{title} {detail}"))


def _alike_pairs(compared: Sequence[_Compared]) -> Iterator[tuple[_Pair, float]]:
    """Those that may stand together, and how much alike they are. What is of different files never is."""
    by_file = sorted(compared, key=lambda each: (each.finding.uri, each.number))
    for _, of_file in groupby(by_file, key=lambda each: each.finding.uri):
        for one, other in combinations(of_file, 2):
            if one.first > other.last or other.first > one.last:
                continue
            if one.agent != other.agent:
                if (likeness := _likeness(one, other)) >= _ALIKE:
                    yield (one.number, other.number), likeness
            elif _repeats(one.finding, other.finding):
                yield (one.number, other.number), _likeness(one, other)


def _repeats(one: Finding, other: Finding) -> bool:
    """As an agent does after a restart. Whatever else one agent reports twice are two things to it."""
    return one.title.casefold() == other.title.casefold() and one.range == other.range


def _likeness(one: _Compared, other: _Compared) -> float:
    """From 0 to 1, of remarks on lines that overlap."""
    titles = (_share(one.title, other.words) + _share(other.title, one.words)) / 2
    is_as_severe = one.finding.severity == other.finding.severity
    return _TITLES * titles + _WORDS * _common(one.words, other.words) + _SEVERITY * is_as_severe


def _share(words: frozenset[str], others: frozenset[str]) -> float:
    return len(words & others) / len(words) if words else 0.0


def _common(words: frozenset[str], others: frozenset[str]) -> float:
    return 2 * len(words & others) / (len(words) + len(others)) if words or others else 0.0


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    """Without those that say nothing, and without endings: agents word the same thing differently."""
    found = _WORD.findall(text.casefold())
    return frozenset(_ENDINGS.sub("", word) for word in found if word not in _EMPTY)
