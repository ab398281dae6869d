"""What an analyser remarks on, and the line that says it in an answer: written here, read back by the others. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from quorate.protocol.findings import Severity

_ORDER: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2, "hint": 3}
_LINE = re.compile(r"^- `(?P<path>[^`]+):(?P<line>\d+)(?:-(?P<end>\d+))?` (?P<severity>\w+): (?P<title>.+) \[[^\]]+\]$")


@dataclass(frozen=True, slots=True)
class Source:
    """A file as an agent has read it."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """Lines from 1, the last one included."""

    path: str
    line: int
    end_line: int

    def overlaps(self, other: "Place") -> bool:
        return self.path == other.path and self.line <= other.end_line and other.line <= self.end_line


@dataclass(frozen=True, slots=True)
class Remark:
    place: Place
    severity: Severity
    # The same words for the same matter, whichever analyser says it: agreement is counted by them.
    title: str
    rule: str
    detail: str
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A remark as it stands in an answer."""

    place: Place
    severity: str
    title: str

    def is_about(self, other: "Claim") -> bool:
        return self.title == other.title and self.place.overlaps(other.place)


def claim_of(remark: Remark) -> Claim:
    return Claim(remark.place, remark.severity, remark.title)


def worst_first(remarks: Iterable[Remark]) -> list[Remark]:
    return sorted(remarks, key=lambda each: (_ORDER[each.severity], each.place.path, each.place.line, each.rule))


def remark_line(remark: Remark) -> str:
    place = remark.place
    end = f"-{place.end_line}" if place.end_line > place.line else ""
    return f"- `{place.path}:{place.line}{end}` {remark.severity}: {remark.title} [{remark.rule}]"


def claims_in(text: str) -> tuple[Claim, ...]:
    found = (_LINE.match(line) for line in text.splitlines())
    return tuple(_claim(match) for match in found if match is not None)


def _claim(match: re.Match[str]) -> Claim:
    line = int(match["line"])
    place = Place(match["path"], line, int(match["end"] or line))
    return Claim(place, match["severity"], match["title"])
