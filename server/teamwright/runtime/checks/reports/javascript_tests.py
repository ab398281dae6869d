"""What jest and vitest print."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from teamwright.runtime.checks.reports.report import CaseBook, Failing, ToolReport, counted

_JEST_END: Final = re.compile(r"Tests: +(?P<counts>\d+ [a-z]+(?:, \d+ [a-z]+)*)")
_JEST_COUNT: Final = re.compile(r"(\d+) (passed|failed|skipped|todo|pending)")
_JEST_FILE: Final = re.compile(r"(?P<how>FAIL|PASS) (?P<path>\S+)(?: \([\d.]+ m?s\))?")
_JEST_CASE: Final = re.compile(
    r"(?P<indent> +)(?P<mark>[✓✕√\u00d7○✎]) (?:skipped |todo )?(?P<name>.+?)(?: \([\d.,]+ m?s\))?"
)
_JEST_GROUP: Final = re.compile(r"(?P<indent> +)(?P<name>[^\s●>|].*)")
_JEST_FAILURE: Final = re.compile(r" {1,4}● (?P<name>.+)")
_JEST_PLACE: Final = re.compile(r" +at (?:.*\()?(?P<path>[^\s()]+):(?P<line>\d+):\d+\)?")
_JOINT: Final = " \u203a "
_SUITE: Final = "Test suite failed to run"


def read_jest(lines: Sequence[str]) -> ToolReport | None:
    ends = [match for line in lines if (match := _JEST_END.match(line))]
    if not ends:
        return None
    counts = counted((end["counts"] for end in ends), _JEST_COUNT)
    book, broken = CaseBook(), 0
    for failing in _jest_failures(lines):
        broken += failing.name.endswith(_SUITE)
        book.fail(failing)
    for name, mark in _jest_cases(lines):
        if mark in "✓√":
            book.add(name, "passed")
        elif mark in "○✎":
            book.add(name, "skipped")
    return book.report(
        passed=counts["passed"],
        failed=counts["failed"] + broken,
        skipped=counts["skipped"] + counts["todo"] + counts["pending"],
    )


def _jest_cases(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Groups are indented above their tests. What is told of failures below a file is no case of it."""
    path, groups, in_cases = "", list[tuple[int, str]](), False
    for line in lines:
        if file := _JEST_FILE.fullmatch(line):
            path, groups, in_cases = file["path"], [], True
        elif not line or line.startswith("  ●"):
            in_cases = False
        elif in_cases and (case := _JEST_CASE.fullmatch(line)):
            indent = len(case["indent"])
            above = [name for depth, name in groups if depth < indent]
            yield _JOINT.join((path, *above, case["name"])), case["mark"]
        elif in_cases and (group := _JEST_GROUP.fullmatch(line)):
            indent = len(group["indent"])
            groups = [*((depth, name) for depth, name in groups if depth < indent), (indent, group["name"])]


def _jest_failures(lines: Sequence[str]) -> Iterator[Failing]:
    path, found, message = "", "", ""
    place: tuple[str, int] | None = None

    def failing() -> Iterator[Failing]:
        if found:
            yield Failing(f"{path}{_JOINT}{found}", message, *(place or (path, None)))

    for line in lines:
        if file := _JEST_FILE.fullmatch(line):
            yield from failing()
            path, found = file["path"], ""
        elif head := _JEST_FAILURE.fullmatch(line):
            yield from failing()
            found, message, place = head["name"], "", None
        elif line.startswith(("Test Suites:", "Summary of all failing tests")):
            yield from failing()
            found = ""
        elif found and (at := _JEST_PLACE.fullmatch(line)):
            if place is None and "node_modules" not in at["path"]:
                place = _in_file(at["path"], path), int(at["line"][:9])
        elif found and not message:
            message = line.strip()
    yield from failing()


def _in_file(printed: str, path: str) -> str:
    """Frames are relative to jest's root, files to where it was started: the longer one of the same file is."""
    return path if path.endswith(f"/{printed}") or path == printed else printed


_VITEST_END: Final = re.compile(
    r" +Tests +(?P<counts>\d+ [a-z]+(?: [a-z]+)?(?: \| \d+ [a-z]+(?: [a-z]+)?)*)(?: \(\d+\))?.*"
)
_VITEST_NO_TESTS: Final = re.compile(r" +Tests +no tests")
_VITEST_COUNT: Final = re.compile(r"(\d+) (passed|failed|skipped|todo|expected fail)")
_VITEST_CASE: Final = re.compile(r" +(?P<mark>[✓\u00d7↓✗]) (?P<name>.+? > .+?)(?: \d+ms)?")
_VITEST_FAILURE: Final = re.compile(r" FAIL +(?:\|[^|]+\| )?(?P<name>.+)")
_VITEST_SUITE: Final = re.compile(r"(?P<path>.+?) \[ .+ \]")
_VITEST_PLACE: Final = re.compile(r" +\u276f (?:.* )?(?P<path>[^\s:]+):(?P<line>\d+):\d+")


def read_vitest(lines: Sequence[str]) -> ToolReport | None:
    ends = [match for line in lines if (match := _VITEST_END.fullmatch(line))]
    if not ends and not any(_VITEST_NO_TESTS.match(line) for line in lines):
        return None
    counts = counted((end["counts"] for end in ends), _VITEST_COUNT)
    book, suites = CaseBook(), set[str]()
    for failing, is_suite in _vitest_failures(lines):
        if is_suite:
            suites.add(failing.name)
        book.fail(failing)
    for line in lines:
        if case := _VITEST_CASE.fullmatch(line):
            if case["mark"] == "✓":
                book.add(case["name"], "passed")
            elif case["mark"] == "↓":
                book.add(case["name"], "skipped")
    return book.report(
        passed=counts["passed"] + counts["expected fail"],
        failed=counts["failed"] + len(suites),
        skipped=counts["skipped"] + counts["todo"],
    )


def _vitest_failures(lines: Sequence[str]) -> Iterator[tuple[Failing, bool]]:
    name, message, is_suite = "", "", False
    for line in lines:
        if head := _VITEST_FAILURE.fullmatch(line):
            if name:
                yield Failing(name, message, name.partition(" > ")[0]), is_suite
            suite = _VITEST_SUITE.fullmatch(head["name"])
            name, message, is_suite = (suite["path"] if suite else head["name"]), "", suite is not None
        elif name and (at := _VITEST_PLACE.fullmatch(line)):
            yield Failing(name, message, at["path"], int(at["line"][:9])), is_suite
            name = ""
        elif name and not message:
            message = line.strip()
    if name:
        yield Failing(name, message, name.partition(" > ")[0]), is_suite
