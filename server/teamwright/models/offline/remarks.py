"""What an analyser remarks on, under one name for each matter, and the line that says it in an answer. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from teamwright.protocol.findings import Severity

_ORDER: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2, "hint": 3}
_LINE = re.compile(r"^- `(?P<path>[^`]+):(?P<line>\d+)(?:-(?P<end>\d+))?` (?P<severity>\w+): (?P<title>.+) \[[^\]]+\]$")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as an agent has read it."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """Lines from 1, the last one included."""

    path: str
    line: int
    end_line: int

    def overlaps(self, other: "CodeSpan") -> bool:
        return self.path == other.path and self.line <= other.end_line and other.line <= self.end_line


@dataclass(frozen=True, slots=True)
class CodeRemark:
    place: CodeSpan
    severity: Severity
    # The same words for the same matter, whichever analyser says it: agreement is counted by them.
    title: str
    rule: str
    detail: str
    suggestion: str | None = None

    @property
    def beyond_title(self) -> str:
        """What the detail says that the title does not: many rules have one sentence for both."""
        rest = self.detail.removeprefix(self.title)
        return self.detail if rest[:1].isalnum() else rest.lstrip(". ")


@dataclass(frozen=True, slots=True)
class Claim:
    """A remark as it stands in an answer."""

    place: CodeSpan
    severity: str
    title: str

    def is_about(self, other: "Claim") -> bool:
        return self.title == other.title and self.place.overlaps(other.place)


def claim_of(remark: CodeRemark) -> Claim:
    return Claim(remark.place, remark.severity, remark.title)


def worst_first(remarks: Iterable[CodeRemark]) -> list[CodeRemark]:
    return sorted(remarks, key=lambda each: (_ORDER[each.severity], each.place.path, each.place.line, each.rule))


def remark_line(remark: CodeRemark) -> str:
    place = remark.place
    end = f"-{place.end_line}" if place.end_line > place.line else ""
    return f"- `{place.path}:{place.line}{end}` {remark.severity}: {remark.title} [{remark.rule}]"


def claims_in(text: str) -> tuple[Claim, ...]:
    found = (_LINE.match(line) for line in text.splitlines())
    return tuple(_claim(match) for match in found if match is not None)


def _claim(match: re.Match[str]) -> Claim:
    line = int(match["line"])
    place = CodeSpan(match["path"], line, int(match["end"] or line))
    return Claim(place, match["severity"], match["title"])


class Topic(NamedTuple):
    title: str
    severity: Severity


BARE_EXCEPT: Final = Topic("Bare `except` hides every error", "warning")
COMPLEX: Final = Topic("Function is hard to follow: too many branches", "warning")
EVAL: Final = Topic("Text is run as code", "error")
WRITTEN_SECRET: Final = Topic("Secret written into the source", "error")
SHELL: Final = Topic("Command goes through a shell", "error")
TLS: Final = Topic("TLS certificates are not verified", "error")
DEBUGGER: Final = Topic("Debugger call left in the code", "warning")
_SWALLOWED: Final = Topic("Exception is swallowed without a trace", "warning")
_WEAK_HASH: Final = Topic("Weak hash", "warning")
# ruff took over bandit's checks with their numbers: S105 is B105.
_SECURITY: Final = {
    "102": EVAL,
    "103": Topic("File is made accessible to everyone", "warning"),
    "105": WRITTEN_SECRET,
    "106": WRITTEN_SECRET,
    "107": WRITTEN_SECRET,
    "108": Topic("Temporary file at a place that can be guessed", "warning"),
    "110": _SWALLOWED,
    "112": _SWALLOWED,
    "113": Topic("Request without a time-out", "warning"),
    "301": Topic("Unpickling runs what the data says", "warning"),
    "303": _WEAK_HASH,
    "307": EVAL,
    "311": Topic("Random numbers are not fit for secrets", "warning"),
    "324": _WEAK_HASH,
    "501": TLS,
    "506": Topic("`yaml.load` builds any object the file names", "warning"),
    "602": SHELL,
    "604": SHELL,
    "605": SHELL,
    "608": Topic("SQL is put together from text", "warning"),
}


def security_topic(number: str) -> Topic | None:
    return _SECURITY.get(number)
