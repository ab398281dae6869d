"""Findings that prove themselves: what should fail because of one is run in a fresh copy, as a check is."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from anyio import to_thread

from teamwright.permissions.actions import RunCommandAction
from teamwright.permissions.judgement import judge
from teamwright.permissions.reproductions import reproduction_fault
from teamwright.permissions.rules import Rules, roots_of
from teamwright.permissions.verdicts import Deny
from teamwright.prompts.assistant.quoting import one_line
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.findings import Reproduced, Reproduction
from teamwright.protocol.visible_text import visible
from teamwright.runtime.checks.reports.report import ToolReport
from teamwright.runtime.checks.results import FinishedCheck
from teamwright.runtime.checks.runner import CheckedTree, CheckRunner, checks_off
from teamwright.runtime.runs.specification import protected_paths
from teamwright.runtime.services import Services
from teamwright.tools.dispatcher import Gate
from teamwright.workspace.files.live_files import LiveFiles

# Of one agent in one run: more would only keep the machine busy.
MOST_REPRODUCTIONS: Final = 20
# Of a run that mends many findings at once.
_MOST_FIXING: Final = 10
_LONGEST_TITLE: Final = 40


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of it. `because`: why it says nothing, as a sentence; `printed`: for its author."""

    reproduced: Reproduced
    because: str | None = None
    printed: str = ""
    has_run: bool = True


@dataclass(frozen=True, slots=True)
class NotAllowed:
    """Nobody lets it run; the finding stands as if it had brought nothing."""

    reason: str


def as_check(reproduction: Reproduction, name: str, seconds: float) -> CheckDefinition:
    return CheckDefinition(
        name=name,
        argv=reproduction.argv,
        files=reproduction.files or None,
        timeout_seconds=seconds,
        source="reproduction",
    )


def fixing_checks(services: Services, proofs: Sequence[tuple[str, Reproduction]]) -> tuple[CheckDefinition, ...]:
    """Each by the title of its finding. What has become wrong about one since it ran is no check."""
    settings = services.team.settings
    places = services.client_context.folders.places
    rules = Rules(role="agent", places=places, roots=roots_of((), protected_paths(settings), places))
    names: list[str] = []
    checks: list[CheckDefinition] = []
    for title, reproduction in proofs[:_MOST_FIXING]:
        if reproduction_fault(rules, reproduction) is None:
            names.append(_unlike(f"reproduction: {one_line(visible(title), _LONGEST_TITLE)}", names))
            checks.append(as_check(reproduction, names[-1], settings.commands.timeout_seconds))
    return tuple(checks)


def _unlike(name: str, names: Sequence[str]) -> str:
    others = (f"{name} ({number})" for number in count(2))
    return name if name not in names else next(other for other in others if other not in names)


class Reproducer:
    """Of one agent: by its own leave to run commands, on the files as they are without anybody's changes."""

    def __init__(self, gate: Gate, live: LiveFiles, runner: CheckRunner, seconds: float) -> None:
        self._gate = gate
        self._live = live
        self._runner = runner
        self._seconds = seconds

    async def is_possible(self) -> bool:
        """Whether it is worth an agent's while to bring one."""
        verdict = judge(self._gate.rules, RunCommandAction(("true",)))
        return not isinstance(verdict, Deny) and await to_thread.run_sync(checks_off) is None

    async def run(self, reproduction: Reproduction, run_before: int) -> Proof | NotAllowed:
        """`run_before`: how often the agent has had something run. Cancelled, it ends with all that it started."""
        if (fault := reproduction_fault(self._gate.rules, reproduction)) is not None:
            return Proof("not_run", _sentence(fault), has_run=False)
        if run_before >= MOST_REPRODUCTIONS:
            because = f"{MOST_REPRODUCTIONS} of its author's have been run already, and no more are."
            return Proof("not_run", because, has_run=False)
        if (reason := await self._gate.refusal(RunCommandAction(reproduction.argv))) is not None:
            return NotAllowed(_sentence(reason))
        if (sentence := await to_thread.run_sync(checks_off)) is not None:
            return NotAllowed(sentence)
        check = as_check(reproduction, "reproduction", self._seconds)
        return _proof(await self._runner.run(check, CheckedTree(self._live)))


def _proof(finished: FinishedCheck) -> Proof:
    if finished.outcome == "passed":
        return Proof("no", printed=finished.output)
    if finished.outcome != "failed":
        said = next((failure.message for failure in finished.failures if failure.message), "It did not end by itself.")
        return Proof("not_run", said, finished.output)
    if finished.report is not None and _ran_no_test(finished.report):
        return Proof("not_run", "It broke off before any of its tests was run.", finished.output)
    return Proof("yes", printed=finished.output)


def _ran_no_test(report: ToolReport) -> bool:
    """It could not be collected or compiled, which is more likely its own fault than that of what it is about."""
    failing = (name for name, outcome in report.cases.items() if outcome == "failed")
    # Where a whole file could not be read, pytest names the file.
    return report.broken_off and all(name.endswith(".py") for name in failing)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
