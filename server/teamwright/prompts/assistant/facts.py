"""What changes from call to call. It is the last message of a request, so that everything before it can be cached."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from teamwright.prompts.assistant.quoting import one_line
from teamwright.protocol.ids import RunId
from teamwright.protocol.modes import Modes
from teamwright.protocol.plans import TaskList
from teamwright.protocol.usage import Budget, Usage

_MOST_NAMED: Final = 10
_LONGEST_TASK: Final = 120
_ALL_OPEN: Final = Modes()
_NOTHING_USED: Final = Usage()


@dataclass(frozen=True, slots=True)
class Spent:
    """In this session so far. A cost that is not known is None, never zero."""

    usage: Usage = _NOTHING_USED
    cost_usd: float | None = 0.0


@dataclass(frozen=True, slots=True)
class RunAtWork:
    run_id: RunId
    task: str


@dataclass(frozen=True, slots=True)
class PendingChanges:
    run_id: RunId
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    today: date
    spent: Spent = Spent()
    budget: Budget | None = None
    modes: Modes = _ALL_OPEN
    runs_at_work: tuple[RunAtWork, ...] = ()
    pending_changes: tuple[PendingChanges, ...] = ()
    tasks: TaskList = ()


def facts_message(facts: Facts) -> str:
    return "[As of now, said by Teamwright.\n" + "\n".join(f"- {line}" for line in _lines(facts)) + "]"


def _lines(facts: Facts) -> Iterator[str]:
    yield f"Today is {facts.today.isoformat()}."
    yield _spending(facts.spent, facts.budget)
    yield from _modes(facts.modes)
    for run in facts.runs_at_work[:_MOST_NAMED]:
        yield f"Run {run.run_id} is under way: {one_line(run.task, _LONGEST_TASK)}"
    for changes in facts.pending_changes[-_MOST_NAMED:]:
        yield f"Changes of run {changes.run_id} wait for the user's decision: {_named(changes.paths)}."
    if facts.tasks:
        yield f"The task list, which the user may have changed: {tasks_line(facts.tasks)}"


def tasks_line(tasks: TaskList) -> str:
    """One after the other: its id, what it is, and how it stands."""
    return "; ".join(f"{task.id} {one_line(task.title, _LONGEST_TASK)} ({task.state})" for task in tasks)


def _spending(spent: Spent, budget: Budget | None) -> str:
    tokens = spent.usage.input_tokens + spent.usage.output_tokens
    cost = "a cost that is not known" if spent.cost_usd is None else f"${spent.cost_usd:.2f}"
    said = f"Spent in this session: {cost}, {tokens} tokens in {spent.usage.calls} calls."
    left: list[str] = []
    if budget is not None and budget.usd is not None and spent.cost_usd is not None:
        left.append(f"${max(0.0, budget.usd - spent.cost_usd):.2f}")
    if budget is not None and budget.tokens is not None:
        left.append(f"{max(0, budget.tokens - tokens)} tokens")
    return f"{said} Left of the budget: {' and '.join(left)}." if left else said


def _modes(modes: Modes) -> Iterator[str]:
    match modes.team:
        case "auto":
            pass
        case "always":
            yield "The user wants the team on everything: launch a run."
        case "never":
            yield "The user wants no runs now: answer by yourself."
    if modes.autonomy == "autonomous":
        yield "Autonomous mode: nobody can be asked. Decide by yourself and say what you assumed."
    chosen = {
        "planning_mode": modes.plan,
        "agent_mode": modes.agent_mode,
        "agents": modes.agent_id,
        "refinement": modes.refinement,
    }
    fixed = [f"{name} = {str(value).lower()}" for name, value in chosen.items() if value is not None]
    if fixed:
        yield f"The user has set for every run: {', '.join(fixed)}."


def _named(paths: tuple[str, ...]) -> str:
    more = len(paths) - _MOST_NAMED
    return ", ".join(paths[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
