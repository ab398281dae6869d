"""What came of a command that ended: its exit code, and what it printed or wrote, which must agree."""

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from teamwright.protocol.checks import CheckOutcome
from teamwright.runtime.checks.reports.analysers import read_mypy, read_ruff, read_tsc
from teamwright.runtime.checks.reports.compiled_tests import read_cargo, read_go
from teamwright.runtime.checks.reports.javascript_tests import read_jest, read_vitest
from teamwright.runtime.checks.reports.python_tests import read_pytest, read_unittest
from teamwright.runtime.checks.reports.report import Failing, ToolReport, plain_lines
from teamwright.runtime.checks.reports.report_files import UnreadableReport, read_report

_READERS: Final[tuple[Callable[[Sequence[str]], ToolReport | None], ...]] = (
    read_pytest,
    read_unittest,
    read_jest,
    read_vitest,
    read_go,
    read_cargo,
    read_ruff,
    read_mypy,
    read_tsc,
)
# Programs that run tests and nothing else: their exit code is about what they report.
_RUNNERS: Final = frozenset({"pytest", "py.test", "unittest", "jest", "vitest"})


@dataclass(frozen=True, slots=True)
class Reading:
    """`note`: for people, where the outcome needs an explanation."""

    outcome: CheckOutcome
    report: ToolReport | None = None
    note: str = ""


def read_output(output: str) -> ToolReport | None:
    """All that is understood of it: one command may run several tools. None: nothing is."""
    lines = plain_lines(output)
    found = [report for reader in _READERS if (report := reader(lines)) is not None]
    return sum(found[1:], start=found[0]) if found else None


def read_result(
    argv: Sequence[str], exit_code: int, output: str, *, report: bytes | None = None, report_name: str | None = None
) -> Reading:
    """`report_name`: the file that the check is said to write; `report`: what it wrote, None where it did not."""
    if exit_code != 0 and (missing := _missing_module(argv, output)):
        return Reading("error", None, f"`{argv[0]}` has no module `{missing}`; install it, or name another command.")
    if report_name is None:
        return _judged(exit_code, read_output(output), is_whole=any(word in _RUNNERS for word in _programs(argv)))
    if report is None:
        if exit_code == 0:
            return Reading("error", None, f"It was to write `{report_name}`, and did not.")
        return Reading("failed", read_output(output), f"It was to write `{report_name}`, and did not.")
    try:
        return _judged(exit_code, read_report(report, report_name), is_whole=True)
    except UnreadableReport as fault:
        return Reading("error", None, str(fault))


def _judged(exit_code: int, report: ToolReport | None, *, is_whole: bool) -> Reading:
    """`is_whole`: the report tells of all that the exit code is about."""
    if report is None:
        return Reading("passed" if exit_code == 0 else "failed")
    if exit_code == 0 and report.is_red:
        return Reading("error", report, "It ended with exit code 0, though it reports failures.")
    if exit_code != 0 and is_whole and not report.is_red:
        return Reading("error", report, f"It ended with exit code {exit_code}, though it reports no failure.")
    return Reading("passed" if exit_code == 0 else "failed", report)


def _missing_module(argv: Sequence[str], output: str) -> str | None:
    """`python -m pytest` where there is no pytest."""
    module = argv[argv.index("-m") + 1] if "-m" in argv[:-1] else ""
    return module if module and re.search(rf"No module named '?{re.escape(module)}'?\s*$", output) else None


def _programs(argv: Sequence[str]) -> list[str]:
    """`python -m pytest`, `npx jest`, `.venv/bin/pytest`."""
    return [word.replace("\\", "/").rpartition("/")[2].removesuffix(".exe") for word in argv[:4]]


def placed(report: ToolReport, folder: str, cwd: tuple[str, ...]) -> ToolReport:
    """With paths relative to the folder of the workspace that it ran in; what lies elsewhere has no place.

    `folder` is where the tools saw it, `cwd` the parts below it where they ran.
    """

    def relative(path: str) -> str | None:
        slashed = path.replace("\\", "/")
        whole = slashed if posixpath.isabs(slashed) else posixpath.join(folder, *cwd, slashed)
        normal, root = posixpath.normpath(whole), posixpath.normpath(folder)
        return normal[len(root) :].lstrip("/") if normal.startswith(f"{root.rstrip('/')}/") else None

    def located(failing: Failing) -> Failing:
        path = relative(failing.path) if failing.path else None
        return replace(failing, path=path, line=failing.line if path else None)

    def renamed(problems: Mapping[str, int]) -> Mapping[str, int]:
        """Absolute paths in names would be no loss, only long."""
        prefix = f"{posixpath.normpath(folder).rstrip('/')}/"
        return {name.replace(prefix, ""): count for name, count in problems.items()}

    return replace(report, failures=tuple(located(each) for each in report.failures), problems=renamed(report.problems))
