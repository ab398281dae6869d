"""What `go test` and `cargo test` print."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from teamwright.runtime.checks.reports.report import CaseBook, CaseOutcome, Failing, ToolReport, said

_GO_CASE: Final = re.compile(r" *--- (?P<how>PASS|FAIL|SKIP): (?P<name>\S+) \([\d.]+s\)")
_GO_PACKAGE: Final = re.compile(r"(?P<how>ok  |FAIL|---|\?   )\t(?P<package>\S+)(?:\t(?P<rest>.*)| \[(?P<why>.*)\])?")
_GO_BUILD: Final = re.compile(r"(?P<path>[^\s:]+\.go):(?P<line>\d+)(?::\d+)?: (?P<message>.+)")
_GO_PLACE: Final = re.compile(r" +(?P<path>[^\s:]+\.go):(?P<line>\d+): ?(?P<message>.*)")
_GO_MEANT: Final[dict[str, CaseOutcome]] = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}


def read_go(lines: Sequence[str]) -> ToolReport | None:
    """With `-v` every test is told; else failing ones, and a package that passes is one case of its name."""
    packages = [(number, match) for number, line in enumerate(lines) if (match := _GO_PACKAGE.fullmatch(line))]
    if not packages:
        return None
    total = ToolReport()
    start = 0
    for end, package in packages:
        total += _go_package(lines[start:end], package)
        start = end + 1
    return total


def _go_package(lines: Sequence[str], end: re.Match[str]) -> ToolReport:
    package, book = end["package"], CaseBook()
    is_skipped = end["how"].startswith("?") or "[no test files]" in (end["rest"] or "")
    if is_skipped:
        return ToolReport()
    for name, outcome in _go_cases(lines):
        book.add(f"{package}.{name}", outcome)
    for failing in _go_failures(lines):
        book.fail(Failing(f"{package}.{failing.name}", failing.message, failing.path, failing.line))
    broken_off = False
    if end["how"] == "FAIL" and not book.failures:
        build = next((match for line in lines if (match := _GO_BUILD.fullmatch(line))), None)
        broken_off = True
        message = build["message"] if build else (end["why"] or end["rest"] or "it failed")
        place = (build["path"], int(build["line"][:9])) if build else (None, None)
        book.fail(Failing(package, message, *place))
    elif not book.cases:
        book.add(package, "passed")
    report = book.report(
        passed=book.count("passed"),
        failed=book.count("failed"),
        skipped=book.count("skipped"),
        broken_off=broken_off,
    )
    return replace(report, is_all_named=any(line.startswith("=== RUN") for line in lines))


def _go_cases(lines: Sequence[str]) -> Iterator[tuple[str, CaseOutcome]]:
    for line in lines:
        if found := _GO_CASE.fullmatch(line):
            yield found["name"], _GO_MEANT[found["how"]]


def _go_failures(lines: Sequence[str]) -> Iterator[Failing]:
    """Without `-v` what a test said stands below its line; with it, between its start and its end."""
    at: tuple[str, int, str] | None = None
    failing: Failing | None = None
    for line in lines:
        if found := _GO_CASE.fullmatch(line):
            if failing is not None:
                yield failing
            failing = None
            if found["how"] == "FAIL":
                failing = Failing(found["name"], at[2], at[0], at[1]) if at else Failing(found["name"])
            at = None
        elif line.startswith("=== RUN"):
            at = None
        elif place := _GO_PLACE.fullmatch(line):
            told = place["path"], int(place["line"][:9]), place["message"]
            if failing is not None and failing.path is None:
                failing = Failing(failing.name, told[2], told[0], told[1])
            elif at is None:
                at = told
    if failing is not None:
        yield failing


_CARGO_END: Final = re.compile(
    r"test result: (?:ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; (?P<ignored>\d+) ignored;.*"
)
_CARGO_TARGET: Final = re.compile(r" +(?:Running (?P<what>.+?) \(.*\)|Doc-tests (?P<docs>\S+))")
_CARGO_CASE: Final = re.compile(
    r"test (?P<name>.+?)(?: - should panic| - compile(?: fail)?)? \.\.\. (?P<how>ok|FAILED|ignored.*)"
)
_CARGO_STDOUT: Final = re.compile(r"---- (?P<name>.+) stdout ----")
_DOC_TEST: Final = re.compile(r"(?P<path>\S+) - .+ \(line (?P<line>\d+)\)")
_CARGO_PANIC: Final = re.compile(r"thread '.*?'(?: \(\d+\))? panicked at (?P<path>[^\s:]+):(?P<line>\d+):\d+:")
_RUSTC_ERROR: Final = re.compile(r"error(?:\[E\d+\])?: (?P<message>.+)")
_RUSTC_PLACE: Final = re.compile(r" +--> (?P<path>[^\s:]+):(?P<line>\d+):\d+")
_NOT_COMPILED: Final = "error: could not compile"


def read_cargo(lines: Sequence[str]) -> ToolReport | None:
    ends = [match for line in lines if (match := _CARGO_END.fullmatch(line))]
    errors = tuple(_rustc_errors(lines))
    is_uncompiled = any(line.startswith(_NOT_COMPILED) for line in lines)
    if not ends and not is_uncompiled:
        return None
    book = CaseBook()
    for name, outcome in _cargo_cases(lines):
        book.add(name, outcome)
    for failing in _cargo_failures(lines):
        book.fail(failing)

    def number(what: str) -> int:
        return sum(int(end[what][:9]) for end in ends)

    report = book.report(
        passed=number("passed"), failed=number("failed"), skipped=number("ignored"), broken_off=is_uncompiled
    )
    return replace(report, failures=(*report.failures, *errors)) if is_uncompiled else report


def _cargo_cases(lines: Sequence[str]) -> Iterator[tuple[str, CaseOutcome]]:
    for target, line in _with_target(lines):
        if case := _CARGO_CASE.fullmatch(line):
            how = case["how"]
            yield (
                f"{target}{case['name']}",
                "passed" if how == "ok" else "skipped" if how.startswith("ignored") else "failed",
            )


def _cargo_failures(lines: Sequence[str]) -> Iterator[Failing]:
    name, message, awaits_message = "", "", False
    place: tuple[str | None, int | None] = (None, None)
    for target, line in _with_target(lines):
        if found := _CARGO_STDOUT.fullmatch(line):
            if name:
                yield Failing(name, message, *place)
            name, message, awaits_message = f"{target}{found['name']}", "", False
            example = _DOC_TEST.fullmatch(found["name"])
            # An example is compiled somewhere else; what people look for is where it is written.
            place = (example["path"], int(example["line"][:9])) if example else (None, None)
        elif name and line == "failures:":
            yield Failing(name, message, *place)
            name = ""
        elif name and (panic := _CARGO_PANIC.fullmatch(line)) and not message:
            awaits_message = True
            if place == (None, None):
                place = panic["path"], int(panic["line"][:9])
        elif name and awaits_message and line:
            message, awaits_message = said(line), False
    if name:
        yield Failing(name, message, *place)


def _with_target(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Two targets may have a test of one name; the library's own are named as they are."""
    target = ""
    for line in lines:
        if found := _CARGO_TARGET.fullmatch(line):
            what = found["what"] or ""
            target = "" if what.startswith("unittests src/lib.rs") or found["docs"] else f"{what}: "
        yield target, line


def _rustc_errors(lines: Sequence[str]) -> Iterator[Failing]:
    message = ""
    for line in lines:
        if error := _RUSTC_ERROR.fullmatch(line):
            message = error["message"]
        elif message and (place := _RUSTC_PLACE.fullmatch(line)):
            yield Failing(message, message, place["path"], int(place["line"][:9]))
            message = ""
