"""What came of trials, counted: found, false, fixed, cost and time, by who did it. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict

from teamwright.cli.evaluation.suite import EvalTask, SeededFault
from teamwright.engine.transcript.words import duration, money
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.transcript import TableCell, TableColumn, TableData, TablePart, TableRow

SetUp = Literal["single", "team", "refined"]
SET_UPS: Final[dict[SetUp, str]] = {
    "single": "One agent",
    "team": "The team, without refinement",
    "refined": "The team, with refinement",
}
# A finding a line above or below is about the same thing.
_NEAR: Final = 1


class Trial(BaseModel):
    """One task, done by one set-up."""

    model_config = ConfigDict(frozen=True)

    task: str
    language: str
    set_up: SetUp
    outcome: str
    faults: int
    found: int
    false: int
    # None where the check says nothing: it could not be run, or there was nothing to mend by it.
    fixed: bool | None
    tokens: int
    cost_usd: float | None
    seconds: float


def found_and_false(task: EvalTask, findings: Sequence[AgreedFinding]) -> tuple[int, int]:
    """How many of the seeded faults were found, and how many findings are about none of them."""
    shown = [finding for finding in findings if not finding.dismissed]
    found = sum(1 for fault in task.faults if any(_is_about(finding, fault) for finding in shown))
    false = sum(1 for finding in shown if not any(_is_about(finding, fault) for fault in task.faults))
    return found, false


def _is_about(finding: AgreedFinding, fault: SeededFault) -> bool:
    if not finding.uri.endswith("/" + quote(fault.path)):
        return False
    first, last = finding.range.start.line + 1, finding.range.end.line + 1
    return first <= (fault.last_line or fault.line) + _NEAR and fault.line - _NEAR <= last


def trials_table(trials: Sequence[Trial]) -> TablePart:
    labels = ("", "Found", "False", "Fixed", "Tokens", "Cost", "Time")
    columns = tuple(TableColumn(label=label, align="right" if label else None) for label in labels)
    rows = tuple(_row(label, own) for set_up, label in SET_UPS.items() if (own := _of(trials, set_up)))
    return TablePart(part="evaluation", data=TableData(columns=columns, rows=rows))


def _of(trials: Sequence[Trial], set_up: SetUp) -> list[Trial]:
    return [trial for trial in trials if trial.set_up == set_up]


def _row(label: str, trials: Sequence[Trial]) -> TableRow:
    checked = [trial.fixed for trial in trials if trial.fixed is not None]
    cost = _cost(trials)
    texts = (
        label,
        f"{sum(trial.found for trial in trials)} of {sum(trial.faults for trial in trials)}",
        str(sum(trial.false for trial in trials)),
        f"{sum(checked)} of {len(checked)}" if checked else "not checked",
        f"{sum(trial.tokens for trial in trials):,}",
        money(cost) if cost is not None else "?",
        duration(sum(trial.seconds for trial in trials)),
    )
    return TableRow(cells=tuple(TableCell(text=text) for text in texts))


def _cost(trials: Sequence[Trial]) -> float | None:
    costs = [trial.cost_usd for trial in trials if trial.cost_usd is not None]
    return sum(costs) if len(costs) == len(trials) else None


def verdict(trials: Sequence[Trial]) -> Iterator[str]:
    """Whether the team is worth it, against one agent alone."""
    alone = _of(trials, "single")
    for set_up in ("team", "refined"):
        own = _of(trials, set_up)
        if not alone or not own:
            continue
        more = sum(trial.found for trial in own) - sum(trial.found for trial in alone)
        fixed = sum(trial.fixed or 0 for trial in own) - sum(trial.fixed or 0 for trial in alone)
        spent, spent_alone = sum(trial.tokens for trial in own), sum(trial.tokens for trial in alone)
        times = f", for {spent / spent_alone:.1f} times the tokens" if spent and spent_alone else ""
        yield (
            f"{SET_UPS[set_up]}: {_difference(more, 'fault')} found and {_difference(fixed, 'task')} fixed than by one "
            f"agent{times}."
        )


def _difference(count: int, noun: str) -> str:
    plural = noun if abs(count) == 1 else f"{noun}s"
    return f"{abs(count)} {'fewer' if count < 0 else 'more'} {plural}"
