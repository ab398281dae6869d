"""Results of checks, kept by the bytes they were run on.

They lie beside the log: names of thousands of tests do not belong in it. Keeping blocks on the disk.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from teamwright.protocol.base import Wire
from teamwright.protocol.checks import CheckCounts, CheckDefinition, CheckFailure, CheckOutcome
from teamwright.protocol.errors import UserError
from teamwright.runtime.checks.comparing import CheckResult
from teamwright.runtime.checks.reports.report import CaseOutcome, ToolReport
from teamwright.workspace.files.safe_files import Root

_DIRECTORY: Final = "check-results"
# Of what is kept, and of how output is read.
_FORMAT: Final = 1
_VENVS: Final = (".venv", "venv", "env")
_MOST_KEPT: Final = 300
_LARGEST: Final = 64_000_000


@dataclass(frozen=True, slots=True)
class FinishedCheck:
    """One execution, as it is told; `report` has the names of all tests."""

    outcome: CheckOutcome
    seconds: float
    exit_code: int | None = None
    failures: tuple[CheckFailure, ...] = ()
    output: str = ""
    report: ToolReport | None = None
    # A fingerprint of the workspace that it ran on.
    tree: str = ""
    reused: bool = False

    @property
    def tests(self) -> CheckCounts | None:
        if self.report is None or not self.report.tests:
            return None
        return CheckCounts(passed=self.report.passed, failed=self.report.failed, skipped=self.report.skipped)

    @property
    def result(self) -> CheckResult:
        return CheckResult(self.outcome, self.report)


def key_of(check: CheckDefinition, tree: str, installed: str, change_set_id: str | None) -> str:
    """Equal for what must come to the same: the command, where, what it may read, and every byte that it sees.

    `installed` stands for what is ignored and yet decides: the project's environments.
    """
    told = [check.argv, check.cwd or ".", check.report, check.needs, check.timeout_seconds, tree, installed]
    told += [change_set_id, [[file.path, file.content] for file in check.files or ()], _FORMAT]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def installed_stamp(directories: Iterable[Path]) -> str:
    """Changes when something is installed into one of the directories or taken out."""
    places = [
        place
        for directory in directories
        for place in (
            directory / "node_modules",
            directory / "node_modules" / ".package-lock.json",
            *(
                place
                for name in (".venv", "venv", "env")
                for place in sorted(directory.glob(f"{name}/lib*/*/site-packages"))
            ),
        )
    ]
    return " ".join(f"{place} {found.st_mtime_ns}" for place in places if (found := _look(place)) is not None)


def _look(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


class _SavedReport(Wire):
    passed: int
    failed: int
    skipped: int
    cases: dict[str, CaseOutcome]
    problems: dict[str, int]
    is_all_named: bool
    broken_off: bool


class _SavedCheck(Wire):
    outcome: CheckOutcome
    seconds: float
    exit_code: int | None
    failures: tuple[CheckFailure, ...]
    output: str
    report: _SavedReport | None
    tree: str


class KeptChecks:
    def __init__(self, state_path: Path) -> None:
        self._root = Root(state_path, private=True)
        self._directory = state_path / _DIRECTORY

    def load(self, key: str) -> FinishedCheck | None:
        """None also for what is damaged: then it is run again."""
        try:
            saved = _SavedCheck.model_validate_json(self._root.read((_DIRECTORY, key), _LARGEST))
        except (UserError, ValidationError):
            return None
        return FinishedCheck(
            saved.outcome,
            saved.seconds,
            saved.exit_code,
            saved.failures,
            saved.output,
            _report(saved.report) if saved.report is not None else None,
            saved.tree,
        )

    def keep(self, key: str, finished: FinishedCheck) -> None:
        """What cannot be kept is run again; nobody need hear of it."""
        report = finished.report
        saved = _SavedCheck(
            outcome=finished.outcome,
            seconds=finished.seconds,
            exit_code=finished.exit_code,
            failures=finished.failures,
            output=finished.output,
            report=_saved(report) if report is not None else None,
            tree=finished.tree,
        )
        with suppress(UserError):
            self._root.write((_DIRECTORY, key), saved.to_json().encode("utf-8", "replace"), durable=False)
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        with suppress(OSError):
            kept = sorted(self._directory.iterdir(), key=lambda path: path.stat().st_mtime_ns)
            for path in kept[:-_MOST_KEPT]:
                path.unlink(missing_ok=True)


def _saved(report: ToolReport) -> _SavedReport:
    return _SavedReport(
        passed=report.passed,
        failed=report.failed,
        skipped=report.skipped,
        cases=dict(report.cases),
        problems=dict(report.problems),
        is_all_named=report.is_all_named,
        broken_off=report.broken_off,
    )


def _report(saved: _SavedReport) -> ToolReport:
    """Where failures are was told with the check."""
    return ToolReport(
        saved.passed,
        saved.failed,
        saved.skipped,
        saved.cases,
        saved.problems,
        is_all_named=saved.is_all_named,
        broken_off=saved.broken_off,
    )
