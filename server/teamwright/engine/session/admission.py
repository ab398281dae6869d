"""What a session takes now and what it refuses, with the sentence that says so. Commands and recovery ask here."""

from typing import Final, Literal

from teamwright.engine.session.state import SessionState
from teamwright.protocol.errors import Conflict, LimitReached
from teamwright.protocol.modes import Modes

_TITLE_LENGTH: Final = 60


def title_of(text: str) -> str:
    return " ".join(text.split())[:_TITLE_LENGTH]


def route(state: SessionState) -> Literal["start", "queue"]:
    """Whether a message begins its turn at once, or waits for those before it."""
    return "queue" if state.turns.open else "start"


def modes_of_next(state: SessionState, change: Modes) -> Modes:
    """As they will be in force for a message that is sent now: those of the last in line, changed as it says."""
    in_line = [turn.modes for turn in state.turns.open.values() if turn.modes is not None]
    return (in_line[-1] if in_line else state.modes).changed_by(change)


def refusal_of_work(*, is_active: bool, others_active: int, limit: int) -> LimitReached | None:
    """`others_active`: other sessions with a turn or run at work in this process. Before anything is written."""
    if is_active or others_active < limit:
        return None
    return LimitReached(
        f"{others_active} sessions are at work, which is the limit: wait for one of them, or cancel one.", limit
    )


def refusal_of_modes(state: SessionState, modes: Modes) -> Conflict | None:
    """What is under way keeps the modes that it began with."""
    if modes == state.modes or not state.is_busy:
        return None
    return Conflict("This session is at work: change its modes when it is done, or cancel it first.")


def refusal_of_compaction(state: SessionState, *, is_under_way: bool) -> Conflict | None:
    if not state.is_busy and not is_under_way:
        return None
    return Conflict("This session is at work: let it finish, or cancel it, then have it summed up.")


def refusal_of_deletion(state: SessionState) -> Conflict | None:
    if not state.is_busy:
        return None
    return Conflict("This session is at work: cancel what it does, or let it finish, then delete it.")
