"""What the command tells its caller by its exit code."""

from collections.abc import Sequence
from typing import Final, assert_never

from quorate.protocol.changes import SettledFile
from quorate.protocol.views import RunOutcome

COMPLETED: Final = 0
FAILED: Final = 1
BAD_USAGE: Final = 2
REFUSED: Final = 3
TIMED_OUT: Final = 124
INTERRUPTED: Final = 130


def code_of(outcome: RunOutcome, settled: Sequence[SettledFile], *, interrupted: bool, was_missed: bool) -> int:
    if interrupted:
        return INTERRUPTED
    match outcome:
        case "completed":
            return _code_of_completed(settled, was_missed=was_missed)
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
