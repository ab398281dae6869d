"""What carrying out a plan came to, in words: for the turn that asked for it, a project's notes, other programs."""

from collections.abc import Iterator, Sequence
from typing import Final

from teamwright.engine.transcript.words import counted, listed, spending
from teamwright.protocol.checks import CheckView
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import PlanExecution, RunOutcome

_CAME_TO: Final[dict[RunOutcome, str]] = {
    "completed": "The plan was carried out.",
    "timed_out": "There was not enough time to carry out the plan; this is how far it came.",
    "cancelled": "Carrying out the plan was called off.",
    "failed": "The plan could not be carried out.",
}


def carried_out(execution: PlanExecution, usage: Usage, cost_usd: float | None) -> str:
    """Its text and what there is to know about it; `usage` and `cost_usd` are those of making the plan."""
    facts = "\n".join(_facts(execution, usage, cost_usd))
    return f"{execution.text.strip()}\n\n{facts}" if execution.text else facts


def came_to(execution: PlanExecution) -> str:
    """In one line, with the files and the checks."""
    return " ".join(_outcome(execution))


def _facts(execution: PlanExecution, usage: Usage, cost_usd: float | None) -> Iterator[str]:
    yield from _outcome(execution)
    if execution.footer:
        yield execution.footer
    if execution.pending:
        yield f"Left for later: {'; '.join(execution.pending)}."
    planning, doing = (
        ", ".join(spending(*each)) for each in ((usage, cost_usd), (execution.usage, execution.cost_usd))
    )
    yield f"Spent on the plan: {planning or 'nothing'}; on carrying it out: {doing or 'nothing'}."


def _outcome(execution: PlanExecution) -> Iterator[str]:
    yield f"{_CAME_TO[execution.outcome]} {execution.error}" if execution.error else _CAME_TO[execution.outcome]
    if execution.checks:
        yield f"Checks: {checks_in_words(execution.checks)}."


def checks_in_words(checks: Sequence[CheckView]) -> str:
    return listed([_check(check) for check in checks])


def _check(check: CheckView) -> str:
    told = f"{check.name} {check.outcome.replace('_', ' ')}"
    if check.tests is not None and check.tests.failed:
        told += f" ({counted(check.tests.failed, 'test')} of {check.tests.failed + check.tests.passed})"
    return f"{told}, {check.broke} of them broken by it" if check.broke else told
