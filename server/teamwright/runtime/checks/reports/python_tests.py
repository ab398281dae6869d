"""What pytest and unittest print."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from teamwright.runtime.checks.reports.report import CaseBook, CaseOutcome, Failing, ToolReport, counted, said

_COUNT: Final = re.compile(r"(\d+) (passed|failed|error|skipped|xfailed|xpassed|subtests passed)s?\b")
_PYTEST_END: Final = re.compile(
    r"=* ?(?P<counts>(?:\d+ [a-z ]+, )*\d+ [a-z ]+|no tests ran) in [\d.]+s(?: \([\d:]+(?:, [^)]*)?\))? ?=*"
)
_SUMMARY: Final = re.compile(r"=+ short test summary info =+")
_SECTION: Final = re.compile(r"=+ (?P<title>[A-Za-z ]+) =+")
_TITLE: Final = re.compile(r"_{3,} (?P<name>.+) _{3,}|__+ (?P<long>.+) __+")
_PART_OF_TEST: Final = re.compile(r" [(\[].*[)\]]$")
_LOCATION: Final = re.compile(r"(?P<path>[^\s:][^:]*\.py):(?P<line>\d+): ")
_LINE: Final = re.compile(
    r"(?P<how>PASSED|FAILED|ERROR|XFAIL|XPASS|SUBFAIL(?:ED)?|SUBPASS(?:ED)?)(?:\([^)]*\)|\[[^\]]*\])? "
    r"(?P<name>\S.*)"
)
_PROGRESS: Final = re.compile(
    r"(?P<name>\S.*::.*?) (?P<how>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*\))?\s*(?:\[ *\d+%\])?"
)
_MEANT: Final[dict[str, CaseOutcome]] = {
    "PASSED": "passed",
    "XPASS": "passed",
    "SUBPASS": "passed",
    "SUBPASSED": "passed",
    "SKIPPED": "skipped",
    "XFAIL": "skipped",
}


def read_pytest(lines: Sequence[str]) -> ToolReport | None:
    """Names of what passed stand in its summary where it was asked for them (`-rp`), or on its lines with `-v`."""
    ends = [match for line in lines if (match := _PYTEST_END.fullmatch(line))]
    if not ends:
        return None
    told = counted((end["counts"] for end in ends), _COUNT)
    book, named_as_passed = CaseBook(), 0
    for name, how, message in _told_cases(lines):
        if how in _MEANT:
            named_as_passed += _MEANT[how] == "passed"
            book.add(name, _MEANT[how])
        else:
            book.fail(Failing(name, message))
    report = book.report(
        passed=told["passed"] + told["xpassed"],
        failed=told["failed"] + told["error"],
        skipped=told["skipped"] + told["xfailed"],
        broken_off=any(line.startswith(("!!!!", "INTERNALERROR>")) for line in lines),
    )
    sections = dict(_sections(lines))
    return replace(
        report,
        failures=tuple(_placed(each, sections) for each in report.failures),
        # A test whose parts failed is told as passed, too.
        is_all_named=named_as_passed >= report.passed,
    )


def _told_cases(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    in_summary = False
    for line in lines:
        if _SUMMARY.fullmatch(line):
            in_summary = True
        elif in_summary and (found := _LINE.fullmatch(line)):
            name, _, message = found["name"].partition(" - ")
            yield name, found["how"], message
        elif in_summary and line.startswith(("=", "!")):
            in_summary = False
        elif not in_summary and (found := _PROGRESS.fullmatch(line)):
            yield found["name"], found["how"], ""


def _sections(lines: Sequence[str]) -> Iterator[tuple[str, Failing]]:
    """What is told below each title of a failure: the last place that is named (where it was raised), the error."""
    told = Failing("")
    for line in lines:
        if title := _TITLE.fullmatch(line):
            yield told.name, told
            told = Failing(_PART_OF_TEST.sub("", title["name"] or title["long"]))
        elif _SECTION.fullmatch(line):
            yield told.name, told
            told = Failing("")
        elif told.name and (at := _LOCATION.match(line)):
            told = replace(told, path=at["path"], line=int(at["line"][:9]))
        elif told.name and not told.message and line.startswith("E   "):
            told = replace(told, message=line[1:].strip())


def _placed(failing: Failing, sections: dict[str, Failing]) -> Failing:
    """Titles are `Class.test`, names `path::Class::test`."""
    path, _, within = failing.name.partition("::")
    title = within.replace("::", ".")
    for candidate in (title, f"ERROR at setup of {title}", f"ERROR at teardown of {title}", f"ERROR collecting {path}"):
        if (told := sections.get(candidate)) is not None and told.path:
            return Failing(failing.name, failing.message or told.message, told.path, told.line)
    return replace(failing, path=path if path.endswith(".py") else None)


_RAN: Final = re.compile(r"Ran (?P<tests>\d+) tests? in [\d.]+s")
_VERDICT: Final = re.compile(r"(?:OK|FAILED)(?: \((?P<counts>[^)]*)\))?|NO TESTS RAN(?: .*)?")
_PART: Final = re.compile(r"(?P<what>failures|errors|skipped|expected failures|unexpected successes)=(?P<number>\d+)")
_HEAD: Final = re.compile(r"(?P<how>FAIL|ERROR|UNEXPECTED SUCCESS): (?P<name>\S.*)")
_FRAME: Final = re.compile(r'  File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in .*)?')
_VERBOSE: Final = re.compile(r"(?P<name>\w+ \([\w.]+\)).* \.\.\. (?P<how>ok|FAIL|ERROR|skipped .*|expected failure)")
_DESCRIBED: Final = re.compile(r"\w+ \([\w.]+\)")
_LATER: Final = re.compile(r".* \.\.\. (?P<how>ok|FAIL|ERROR|skipped .*|expected failure)")


def read_unittest(lines: Sequence[str]) -> ToolReport | None:
    ran = [number for number, line in enumerate(lines) if _RAN.fullmatch(line)]
    verdicts = [match for at in ran for line in lines[at + 1 : at + 4] if (match := _VERDICT.fullmatch(line))]
    if not ran or len(verdicts) < len(ran):
        return None
    tests = sum(int(match["tests"][:9]) for at in ran if (match := _RAN.fullmatch(lines[at])))
    parts = [part for verdict in verdicts for part in _PART.finditer(verdict["counts"] or "")]

    def number(*what: str) -> int:
        return sum(int(part["number"][:9]) for part in parts if part["what"] in what)

    book = CaseBook()
    for name, outcome in _verbose_cases(lines):
        book.add(name, outcome)
    for failing in _unittest_failures(lines):
        book.fail(failing)
    skipped = number("skipped", "expected failures")
    # Each failing part of a test is counted, and the test once.
    failed = max(len(book.failures), 1) if number("failures", "errors", "unexpected successes") else 0
    return book.report(passed=max(0, tests - failed - skipped), failed=failed, skipped=skipped)


def _verbose_cases(lines: Sequence[str]) -> Iterator[tuple[str, CaseOutcome]]:
    described = ""
    for line in lines:
        found = _VERBOSE.fullmatch(line) or (_LATER.fullmatch(line) if described else None)
        if found is not None:
            name = described or found["name"]
            how = found["how"]
            if how == "ok":
                yield name, "passed"
            elif how.startswith(("skipped", "expected")):
                yield name, "skipped"
        # With a docstring, the name stands on a line of its own.
        described = line if _DESCRIBED.fullmatch(line) else ""


def _unittest_failures(lines: Sequence[str]) -> Iterator[Failing]:
    name, place, message = "", (None, None), ""
    for line in lines:
        if found := _HEAD.fullmatch(line):
            name, place, message = _without_part(found["name"]), (None, None), ""
        elif name and (at := _FRAME.fullmatch(line)):
            place = at["path"], int(at["line"][:9])
        elif name and line.startswith(("=====", "-----")):
            if message:
                yield Failing(name, message, *place)
                name = ""
        elif name and line and not line.startswith((" ", "Traceback")) and not message:
            message = said(line)
    if name:
        yield Failing(name, message, *place)


def _without_part(name: str) -> str:
    """`test (module.Case.test) (n=1)` is a part of the first two."""
    match = re.match(r"\w+ \([\w.]+\)", name)
    return match[0] if match else name
