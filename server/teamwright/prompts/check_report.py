"""What came of checks, as a model is told it."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from teamwright.prompts.assistant.quoting import one_line
from teamwright.protocol.checks import CheckCounts, CheckDefinition, CheckFailure, CheckOutcome

_MOST_FAILURES: Final = 20
_LONGEST_MESSAGE: Final = 300
_LONGEST_OUTPUT: Final = 3_000
_WORDS: Final[dict[CheckOutcome, str]] = {
    "passed": "passed",
    "failed": "failed",
    "timed_out": "did not come to its end in time",
    "error": "could not be judged",
}


@dataclass(frozen=True, slots=True)
class CheckTold:
    check: CheckDefinition
    # Why it was not run.
    refusal: str = ""
    outcome: CheckOutcome | None = None
    seconds: float = 0.0
    tests: CheckCounts | None = None
    failures: tuple[CheckFailure, ...] = ()
    output: str = ""


def told_checks(checks: Sequence[CheckTold]) -> str:
    """What they printed is other people's text: it is quoted, and only where something is wrong."""
    return "\n\n".join("\n".join(_told(each)) for each in checks)


def _told(each: CheckTold) -> Iterator[str]:
    head = f"{each.check.name} (`{shlex.join(each.check.argv)}`{_where(each.check)})"
    if each.outcome is None:
        yield f"{head}: not run: {each.refusal or 'it was not its turn'}."
        return
    yield f"{head}: {_WORDS[each.outcome]}{_numbers(each.tests)}, {each.seconds:.1f} s."
    for failure in each.failures[:_MOST_FAILURES]:
        place = f"{failure.path}:{failure.line}: " if failure.path and failure.line else f"{failure.path or ''}"
        yield f"- {place}{failure.name}: {one_line(failure.message, _LONGEST_MESSAGE)}".rstrip(": ")
    if (more := len(each.failures) - _MOST_FAILURES) > 0:
        yield f"- and {more} more"
    if each.outcome != "passed" and each.output.strip():
        yield "What it printed last:"
        yield "```"
        yield each.output[-_LONGEST_OUTPUT:].strip().replace("```", "'''")
        yield "```"


def _where(check: CheckDefinition) -> str:
    return f" in {check.cwd}" if check.cwd and check.cwd != "." else ""


def _numbers(tests: CheckCounts | None) -> str:
    if tests is None:
        return ""
    parts = [f"{tests.passed} passed"]
    parts += [f"{tests.failed} failed"] if tests.failed else []
    parts += [f"{tests.skipped} skipped"] if tests.skipped else []
    return f" ({', '.join(parts)})"
