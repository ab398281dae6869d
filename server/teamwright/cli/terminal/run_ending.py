"""How a run ended: what a program that called us is told, by standard output and by the exit code."""

from collections.abc import Sequence
from typing import Final, assert_never

import anyio

from teamwright.engine.transcript.words import listed
from teamwright.protocol.changes import SettledFile
from teamwright.protocol.events import ChangesSettled, NoticeRaised, RunFinished
from teamwright.protocol.ids import RunId
from teamwright.protocol.records import EventRecord

COMPLETED: Final = 0
FAILED: Final = 1
BAD_USAGE: Final = 2
REFUSED: Final = 3
TIMED_OUT: Final = 124
INTERRUPTED: Final = 130
# And the number of the signal that ended us.
KILLED: Final = 128


class RunEnding:
    """`over` is set with the run's last event.

    A run that cannot be recorded any more ends without one: then there is nothing in `finished`.
    """

    def __init__(self) -> None:
        self.run_id: RunId | None = None
        self.finished: RunFinished | None = None
        self.over = anyio.Event()
        self._settled: tuple[SettledFile, ...] = ()
        self._execution: RunFinished | None = None

    def take(self, record: EventRecord) -> None:
        # The first run is the one that was asked for; a later one carries out its plan.
        self.run_id = self.run_id or record.run_id
        is_own = record.run_id is not None and record.run_id == self.run_id
        match record.event:
            case ChangesSettled(settled=settled):
                self._settled += settled
            case NoticeRaised(level="error") if is_own:
                self.over.set()
            case RunFinished() as finished if is_own:
                self.finished = finished
                self.over.set()
            case RunFinished() as finished:
                self._execution = finished
            case _:
                pass

    @property
    def text(self) -> str | None:
        """What was carried out says more than the plan for it."""
        results = (each.result for each in (self._execution, self.finished) if each is not None)
        return next((result.text for result in results if result is not None), None)

    @property
    def left_failing(self) -> str | None:
        """Of a run that was to make checks pass: what it has not come to."""
        if self.finished is None or self.finished.outcome != "completed":
            return None
        if not self.finished.checks:
            return "Nothing was changed: what failed still fails."
        failing = [check.name for check in self.finished.checks if check.outcome != "passed"]
        return f"{listed(failing)} still {'fails' if len(failing) == 1 else 'fail'}." if failing else None

    def exit_code(self, *, was_interrupted: bool, was_missed: bool) -> int:
        """`was_missed`: something was refused only because nobody was there to be asked."""
        if was_interrupted:
            return INTERRUPTED
        if self.finished is None:
            return FAILED
        outcome = self.finished.outcome
        match outcome:
            case "completed":
                return _code_of_completed(self._settled, was_missed=was_missed)
            case "cancelled":
                return REFUSED
            case "failed":
                return FAILED
            case "timed_out":
                return TIMED_OUT
            case _:
                assert_never(outcome)


def _code_of_completed(settled: Sequence[SettledFile], *, was_missed: bool) -> int:
    outcomes = {file.outcome for file in settled}
    if "conflicted" in outcomes:
        return FAILED
    return REFUSED if was_missed or outcomes == {"rejected"} else COMPLETED
