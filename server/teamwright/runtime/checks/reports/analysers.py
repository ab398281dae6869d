"""What ruff, mypy and tsc print: problems, each at its place."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from teamwright.runtime.checks.reports.report import Failing, ToolReport, report_of_problems

_RUFF_END: Final = re.compile(r"Found \d+ errors?(?: \(.*\))?\.|All checks passed!")
_RUFF_FORMAT_END: Final = re.compile(
    r"\d+ files? (?:would be reformatted|already formatted)(?:, \d+ files? already formatted)?"
)
_RUFF_CONCISE: Final = re.compile(
    r"(?P<path>[^\s:][^:]*):(?P<line>\d+):\d+: (?P<code>[A-Z]+\d+|[a-z-]+): ?(?P<message>.+)"
)
_RUFF_CODED: Final = re.compile(r"(?P<path>[^\s:][^:]*):(?P<line>\d+):\d+: (?P<code>[A-Z]+\d+) (?P<message>.+)")
_RUFF_HEAD: Final = re.compile(r"(?P<code>[A-Z]+\d+|[a-z]+(?:-[a-z]+)+|unformatted):? (?P<message>\S.*)")
_RUFF_PLACE: Final = re.compile(r" *--> (?P<path>.+?):(?P<line>\d+):\d+")
_RUFF_FORMAT: Final = re.compile(r"Would reformat: (?P<path>.+)")
_FIXABLE: Final = re.compile(r"^\[\*\] ")


def read_ruff(lines: Sequence[str]) -> ToolReport | None:
    if not any(_RUFF_END.fullmatch(line) or _RUFF_FORMAT_END.fullmatch(line) for line in lines):
        return None
    return report_of_problems(_ruff_problems(lines))


def _ruff_problems(lines: Sequence[str]) -> Iterator[Failing]:
    head: re.Match[str] | None = None
    for line in lines:
        if found := _RUFF_CODED.fullmatch(line) or _RUFF_CONCISE.fullmatch(line):
            yield _ruff_problem(found["code"], found["message"], found["path"], found["line"])
        elif found := _RUFF_HEAD.fullmatch(line):
            head = found
        elif head is not None and (place := _RUFF_PLACE.fullmatch(line)):
            yield _ruff_problem(head["code"], head["message"], place["path"], place["line"])
            head = None
        elif found := _RUFF_FORMAT.fullmatch(line):
            yield Failing("unformatted", "would be reformatted", found["path"])


def _ruff_problem(code: str, message: str, path: str, line: str) -> Failing:
    return Failing(code, f"{code} {_FIXABLE.sub('', message)}", path, int(line[:9]))


_MYPY_END: Final = re.compile(
    r"Success: no issues found in \d+ source files?|Found \d+ errors? in \d+ files? \((?:checked \d+ source files?|"
    r"errors prevented further checking)\)"
)
_MYPY_ERROR: Final = re.compile(
    r"(?P<path>[^\s:][^:]*):(?P<line>\d+)(?::\d+)*: error: (?P<message>.+?)(?:  \[(?P<code>[a-z-]+)\])?"
)


def read_mypy(lines: Sequence[str]) -> ToolReport | None:
    if not any(_MYPY_END.fullmatch(line) for line in lines):
        return None
    errors = (found for line in lines if (found := _MYPY_ERROR.fullmatch(line)))
    return report_of_problems(
        Failing(found["code"] or "error", found["message"], found["path"], int(found["line"][:9])) for found in errors
    )


_TSC_ERROR: Final = re.compile(r"(?P<path>[^\s(][^(]*)\((?P<line>\d+),\d+\): error (?P<code>TS\d+): (?P<message>.+)")
_TSC_PRETTY: Final = re.compile(r"(?P<path>[^\s:][^:]*):(?P<line>\d+):\d+ - error (?P<code>TS\d+): (?P<message>.+)")


def read_tsc(lines: Sequence[str]) -> ToolReport | None:
    """A tsc without errors prints nothing: then there is nothing to read."""
    errors = [found for line in lines if (found := _TSC_ERROR.fullmatch(line) or _TSC_PRETTY.fullmatch(line))]
    if not errors:
        return None
    return report_of_problems(
        Failing(found["code"], f"{found['code']} {found['message']}", found["path"], int(found["line"][:9]))
        for found in errors
    )
