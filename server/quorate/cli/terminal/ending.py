"""What is said when a run is over."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from quorate.cli.terminal.talk import Line
from quorate.cli.terminal.wording import counted, duration, spending
from quorate.engine.spending import Spending
from quorate.protocol.changes import SettledFile
from quorate.protocol.events import RunFinished
from quorate.protocol.ids import RunId
from quorate.protocol.views import RunOutcome

_OUTCOMES: dict[RunOutcome, str] = {
    "completed": "Completed",
    "cancelled": "Cancelled",
    "failed": "Failed",
    "timed_out": "Timed out",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """Of the run that was asked for, and of the run that carried out its plan, if one did."""

    run_id: RunId
    finished: RunFinished
    execution: RunFinished | None
    settled: tuple[SettledFile, ...]
    began_at: datetime
    ended_at: datetime

    @property
    def text(self) -> str | None:
        """What was carried out says more than the plan for it."""
        results = (each.result for each in (self.execution, self.finished) if each is not None)
        return next((result.text for result in results if result is not None), None)

    @property
    def spending(self) -> Spending:
        own = Spending(self.finished.usage, self.finished.cost_usd)
        execution = self.execution
        return own if execution is None else own + Spending(execution.usage, execution.cost_usd)


def before_result(ending: Ending) -> Iterator[Line]:
    if ending.text is not None and ending.finished.outcome != "completed":
        yield Line("The run did not come to its end; this is the best there was:", "strong")


def after_result(ending: Ending, run_directory: Path | None) -> Iterator[Line]:
    finished, spent = ending.finished, ending.spending
    if finished.error is not None:
        yield Line(finished.error, "alarm")
    for each in (finished, ending.execution):
        if each is not None and each.footer is not None and each.written:
            # Findings were told in their own place; what was written stands in the last line.
            yield Line(each.footer.rpartition("\n")[2], "strong")
    seconds = (ending.ended_at - ending.began_at).total_seconds()
    used = ", ".join((counted(spent.usage.calls, "model call"), *spending(spent.usage, spent.cost_usd)))
    yield Line(f"{_OUTCOMES[finished.outcome]} in {duration(seconds)}, {used}")
    if run_directory is not None:
        where = f": its files are in {run_directory}" if run_directory.exists() else ""
        yield Line(f"{ending.run_id}{where}", "faint")
