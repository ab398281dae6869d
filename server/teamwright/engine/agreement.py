"""What the team stands behind: the remarks of several agents on the same thing, as one finding."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from teamwright.engine.run.state import ReportedFinding, RunState
from teamwright.protocol.findings import AgreedFinding, Finding, Severity
from teamwright.protocol.ids import AgentId, FindingId

Cluster = frozenset[ReportedFinding]

_SEVEREST_FIRST: Final[Mapping[Severity, int]] = {"error": 0, "warning": 1, "info": 2, "hint": 3}


def agreed_findings(state: RunState, dismissed: Collection[FindingId] = ()) -> tuple[AgreedFinding, ...]:
    """Most agreed first. A finding is called by the same id whoever asks, and answers to those of all its remarks."""
    disputes = {agent.agent_id: agent.ballot.disputed for agent in state.agents.values() if agent.ballot is not None}
    agreed = (_agreed(cluster, state, disputes, dismissed) for cluster in clusters(state.findings))
    return tuple(sorted((finding for finding in agreed if finding.agents), key=_standing))


def clusters(remarks: Iterable[ReportedFinding]) -> tuple[Cluster, ...]:
    """The same whatever the order of the remarks. In a cluster each is like each other, and no agent speaks of two
    things."""
    merged = {remark: frozenset({remark}) for remark in remarks}
    for one, other in _alike_pairs(tuple(merged)):
        left, right = merged[one], merged[other]
        if left is not right and _may_merge(left, right):
            union = left | right
            merged.update(dict.fromkeys(union, union))
    return tuple(dict.fromkeys(merged[remark] for remark in sorted(merged, key=_order)))


def ids_of(state: RunState, finding_id: FindingId) -> frozenset[FindingId]:
    """The ids of all remarks that stand together with this one; none where it is not of this run."""
    together = (cluster for cluster in clusters(state.findings) if finding_id in _ids(cluster))
    return next((_ids(cluster) for cluster in together), frozenset[FindingId]())


def _ids(cluster: Cluster) -> frozenset[FindingId]:
    return frozenset(remark.finding.finding_id for remark in cluster)


def _alike_pairs(remarks: Sequence[ReportedFinding]) -> list[tuple[ReportedFinding, ReportedFinding]]:
    """Those most alike first."""
    scored = [
        (-likeness(one.finding, other.finding), _order(one), _order(other), one, other)
        for one, other in combinations(sorted(remarks, key=_order), 2)
        if _may_stand_together(one, other)
    ]
    return [(one, other) for *_, one, other in sorted(scored, key=lambda pair: pair[:3])]


def _may_merge(left: Cluster, right: Cluster) -> bool:
    return all(_may_stand_together(one, other) for one in left for other in right)


def _may_stand_together(one: ReportedFinding, other: ReportedFinding) -> bool:
    if one.agent_id == other.agent_id:
        return _repeats(one.finding, other.finding)
    return likeness(one.finding, other.finding) >= ALIKE


def _repeats(one: Finding, other: Finding) -> bool:
    """As an agent does after a restart. Whatever else one agent reports twice are two things to it."""
    return (one.uri, one.range, one.title.casefold()) == (other.uri, other.range, other.title.casefold())


def _agreed(
    cluster: Cluster,
    state: RunState,
    disputes: Mapping[AgentId, frozenset[FindingId]],
    dismissed: Collection[FindingId],
) -> AgreedFinding:
    """In the words of its severest remark."""
    ids = _ids(cluster)
    spokesman = min(cluster, key=_order).finding
    disputing = tuple(agent for agent in state.spec.agents if ids & disputes.get(agent, frozenset()))
    reporting = {remark.agent_id for remark in cluster}
    return AgreedFinding(
        **dict(spokesman),
        agents=tuple(agent for agent in state.spec.agents if agent in reporting and agent not in disputing),
        of=len(state.spec.agents),
        disputed_by=disputing or None,
        dismissed=not ids.isdisjoint(dismissed),
    )


def _standing(finding: AgreedFinding) -> tuple[int, int, str, int, str]:
    severity = _SEVEREST_FIRST[finding.severity]
    return -finding.agreement, severity, finding.uri, finding.range.start.line, finding.finding_id


def _order(remark: ReportedFinding) -> tuple[int, str, int, int, str]:
    finding = remark.finding
    lines = finding.range.end.line - finding.range.start.line
    return _SEVEREST_FIRST[finding.severity], finding.uri, finding.range.start.line, lines, finding.finding_id


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
