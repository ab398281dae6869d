"""What a check told of itself: tests with their outcomes, problems with their places."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

CaseOutcome: TypeAlias = Literal["passed", "failed", "skipped"]

# More than any project has that is checked while one waits; what a hostile one prints must not fill the memory.
MOST_CASES: Final = 100_000
MOST_FAILURES: Final = 200
_LONGEST_LINE: Final = 2_000
_LONGEST_NAME: Final = 300
_LONGEST_MESSAGE: Final = 500
_WORST: Final[Mapping[CaseOutcome, int]] = {"passed": 0, "skipped": 1, "failed": 2}
_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


@dataclass(frozen=True, slots=True)
class Failing:
    """One thing that is wrong, and where the tool says it is: the path as it was printed."""

    name: str
    message: str = ""
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ToolReport:
    """Of tests, those whose names were told are `cases`; of many tools that is only what failed.

    `problems` are what linters and type checkers find: told only when they are there. They are named without their
    lines, which shift, and counted, because the same one may stand in a file twice.
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    cases: Mapping[str, CaseOutcome] = field(default_factory=dict[str, CaseOutcome])
    problems: Mapping[str, int] = field(default_factory=dict[str, int])
    failures: tuple[Failing, ...] = ()
    # Whether every test that passed is among the cases, so that one that is not there was not reported.
    is_all_named: bool = False
    # A tool that could not do its work: tests that cannot be collected or compiled, an internal error.
    broken_off: bool = False

    @property
    def tests(self) -> int:
        return self.passed + self.failed + self.skipped

    @property
    def is_red(self) -> bool:
        return self.failed > 0 or bool(self.problems) or self.broken_off

    def __add__(self, other: "ToolReport") -> "ToolReport":
        """Of one command that ran two tools."""
        cases = dict(self.cases)
        for name, outcome in other.cases.items():
            cases[name] = max(outcome, cases.get(name, outcome), key=_WORST.__getitem__)
        problems = {
            name: self.problems.get(name, 0) + other.problems.get(name, 0)
            for name in dict.fromkeys((*self.problems, *other.problems))
        }
        return ToolReport(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            cases,
            problems,
            (*self.failures, *other.failures)[:MOST_FAILURES],
            (self.is_all_named or not self.tests) and (other.is_all_named or not other.tests),
            self.broken_off or other.broken_off,
        )


class CaseBook:
    """Gathers cases; of a name that is told twice, the worse outcome counts."""

    def __init__(self) -> None:
        self.cases: dict[str, CaseOutcome] = {}
        self._failures: dict[str, Failing] = {}

    def add(self, name: str, outcome: CaseOutcome) -> None:
        name = named(name)
        if name in self.cases or len(self.cases) < MOST_CASES:
            self.cases[name] = max(outcome, self.cases.get(name, outcome), key=_WORST.__getitem__)

    def fail(self, failing: Failing) -> None:
        """What is known of it already is kept."""
        name = named(failing.name)
        self.add(name, "failed")
        known = self._failures.get(name, Failing(name))
        if name in self._failures or len(self._failures) < MOST_FAILURES:
            self._failures[name] = Failing(
                name,
                known.message or said(failing.message),
                known.path or failing.path,
                known.line if known.path else failing.line,
            )

    @property
    def failures(self) -> tuple[Failing, ...]:
        return tuple(self._failures.values())

    def report(self, *, passed: int, failed: int, skipped: int, broken_off: bool = False) -> ToolReport:
        """With the numbers that the tool gives, which may count more than it names."""
        is_all_named = self.count("passed") >= passed
        return ToolReport(
            passed, failed, skipped, self.cases, {}, self.failures, is_all_named=is_all_named, broken_off=broken_off
        )

    def count(self, outcome: CaseOutcome) -> int:
        return sum(each == outcome for each in self.cases.values())


def report_of_problems(found: Iterable[Failing]) -> ToolReport:
    """Each is named by its file and message."""
    problems: dict[str, int] = {}
    failures: list[Failing] = []
    for each in found:
        name = named(f"{each.path}: {each.message}" if each.path else each.message)
        if name in problems or len(problems) < MOST_CASES:
            problems[name] = problems.get(name, 0) + 1
        if len(failures) < MOST_FAILURES:
            failures.append(Failing(named(each.name), said(each.message), each.path, each.line))
    return ToolReport(problems=problems, failures=tuple(failures))


def plain_lines(output: str) -> list[str]:
    """As a terminal would leave them: no colours, of a line that was overwritten its last state; each bounded."""
    return [_overwritten(line) for line in _ESCAPES.sub("", output).split("\n")]


def _overwritten(line: str) -> str:
    return line.rstrip("\r ").rpartition("\r")[2][:_LONGEST_LINE].rstrip()


def named(name: str) -> str:
    return " ".join(name[:_LONGEST_NAME].split())


def said(message: str) -> str:
    """The first line of it that says anything."""
    return next((line.strip() for line in message.splitlines() if line.strip()), "")[:_LONGEST_MESSAGE]


def counted(texts: Iterable[str], pattern: re.Pattern[str]) -> Counter[str]:
    """Such as "3 failed, 1 passed": the numbers by their words."""
    found: Counter[str] = Counter()
    for text in texts:
        for number, word in pattern.findall(text):
            found[word] += int(number[:9])
    return found
