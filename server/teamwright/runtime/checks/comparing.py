"""What a candidate makes worse than the workspace is without it. Pure.

What passed and no longer does is broken: because it fails, because it is skipped, or because nobody reports it any
more. Tests are compared by their names where both sides name them all, else by their numbers.
"""

from dataclasses import dataclass
from typing import Final

from teamwright.protocol.checks import CheckOutcome
from teamwright.runtime.checks.reports.report import ToolReport

MOST_NAMES: Final = 50


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one execution of a check came to."""

    outcome: CheckOutcome
    report: ToolReport | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Names are bounded, numbers are not."""

    broke: tuple[str, ...] = ()
    broke_count: int = 0
    # The base failed them, and they were taken away or skipped instead of being mended.
    not_fixed: int = 0
    # What varies by itself.
    flaky: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Worse:
    broke: frozenset[str] = frozenset()
    not_fixed: frozenset[str] = frozenset()
    # As many more, whose names nobody knows.
    broke_besides: int = 0
    not_fixed_besides: int = 0


def is_suspect(check: str, base: CheckResult, result: CheckResult) -> bool:
    """Whether something broke that might only be flaky: then both are run once more."""
    worse = _worse(check, base, result)
    return bool(worse.broke) or worse.broke_besides > 0


def compare(
    check: str, base: CheckResult, result: CheckResult, again: tuple[CheckResult, CheckResult] | None = None
) -> Comparison:
    """`check` is its name, for what nothing else names; `again`: the base and the candidate, run once more."""
    if not _judges(base):
        return Comparison()
    if again is not None and not _judges(again[0]):
        return Comparison(flaky=(check,))
    first = _worse(check, base, result)
    second = first if again is None else _worse(check, *again)
    broke = first.broke & second.broke
    flaky = (first.broke | second.broke) - broke
    besides = min(first.broke_besides, second.broke_besides)
    return Comparison(
        broke=tuple(sorted(broke)[:MOST_NAMES]),
        broke_count=len(broke) + besides,
        not_fixed=len(first.not_fixed - flaky) + first.not_fixed_besides,
        flaky=tuple(sorted(flaky)[:MOST_NAMES]),
    )


def _judges(base: CheckResult) -> bool:
    """A check that does not come to its end without the candidate says nothing about it."""
    return base.outcome in {"passed", "failed"}


def _worse(check: str, base: CheckResult, result: CheckResult) -> _Worse:
    if not _judges(base):
        return _Worse()
    before = base.report or ToolReport(is_all_named=True)
    if _came_to_nothing(result):
        lost = max(before.passed, int(base.outcome == "passed"))
        return _Worse(broke=frozenset((check,)), broke_besides=lost - 1) if lost else _Worse()
    after = result.report or ToolReport(is_all_named=True)
    worse = _by_name(before, after) if before.is_all_named and after.is_all_named else _by_number(before, after)
    more = {name for name, count in after.problems.items() if count > before.problems.get(name, 0)}
    broke = worse.broke | more
    if not broke and not worse.broke_besides and base.outcome == "passed" and result.outcome == "failed":
        broke = frozenset((check,))
    return _Worse(broke, worse.not_fixed, worse.broke_besides, worse.not_fixed_besides)


def _came_to_nothing(result: CheckResult) -> bool:
    """Whatever it would have told of the tests is not there."""
    if result.outcome == "failed":
        return result.report is None or result.report.broken_off
    return result.outcome in {"timed_out", "error"}


def _by_name(before: ToolReport, after: ToolReport) -> _Worse:
    lost = {name: outcome for name, outcome in before.cases.items() if after.cases.get(name) in {None, "skipped"}}
    now_failing = {name for name in _failing(after) if before.cases.get(name) == "passed"}
    return _Worse(
        broke=frozenset(now_failing | {name for name, outcome in lost.items() if outcome == "passed"}),
        not_fixed=frozenset(name for name, outcome in lost.items() if outcome == "failed"),
    )


def _by_number(before: ToolReport, after: ToolReport) -> _Worse:
    failed_before, failing = _failing(before), _failing(after)
    # A name that is new among the failing ones passed before, as far as anybody knows.
    broke = {name for name in failing - failed_before if before.cases.get(name) != "skipped"}
    more = max(0, after.tests - before.tests)
    lost = max(0, before.tests - after.tests) + max(0, after.skipped - before.skipped - more)
    # Which no longer fail, and nobody says that they pass: they may be among the lost.
    doubtful = sum(after.cases.get(name) != "passed" for name in failed_before - failing)
    return _Worse(
        broke=frozenset(broke),
        broke_besides=lost - min(lost, doubtful),
        not_fixed_besides=min(lost, doubtful),
    )


def _failing(report: ToolReport) -> set[str]:
    return {name for name, outcome in report.cases.items() if outcome == "failed"}
