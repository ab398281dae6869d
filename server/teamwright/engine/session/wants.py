"""What a session's state wants. Levels, not edges: each stands for as long as the state wants it.

A conductor compares them with what is going on. What is at work already is left alone; what is wanted and not at work
is begun; the rest is carried out, and the fact that comes of it makes the state stop wanting it.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from teamwright.protocol.decisions import Choice, ResumeDetail
from teamwright.protocol.ids import DecisionId, RunId, TurnId
from teamwright.protocol.items import Item
from teamwright.protocol.plans import TaskList
from teamwright.protocol.records import Scope

# Nobody goes on with it; a call is told that it was interrupted, for it may have had an effect; a call that only read
# or only waited for a person's word is made again; a call has come to a run, or to a question, whose end is known.
Closing = Literal["given_up", "interrupted", "again", "run", "answer"]


@dataclass(frozen=True, slots=True)
class AskResume:
    """Whether to go on with all that a process left that is gone. With a `policy` nobody is asked."""

    detail: ResumeDetail
    title: str
    choices: tuple[Choice, ...]
    scope: Scope
    policy: Literal["approve"] | None


@dataclass(frozen=True, slots=True)
class CloseItem:
    """It was open when its process died."""

    item: Item
    scope: Scope
    how: Closing


@dataclass(frozen=True, slots=True)
class ConductRun:
    """What the run wants is its own engine's business."""

    run_id: RunId


@dataclass(frozen=True, slots=True)
class CancelRun:
    """Its turn is to end."""

    run_id: RunId


@dataclass(frozen=True, slots=True)
class RunTurn:
    """The first in line is answered: from its message on, or from where a process left it that is gone."""

    turn_id: TurnId
    steps_done: int
    close: tuple[CloseItem, ...]


@dataclass(frozen=True, slots=True)
class HoldTurn:
    """It goes on by a person's answer, or with the end of the run that it waits for."""

    turn_id: TurnId
    until: DecisionId | RunId


@dataclass(frozen=True, slots=True)
class StopTurn:
    """Somebody called it off: whoever is at work on it stops, and tells its end."""

    turn_id: TurnId


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Only its end is missing, and nobody is at work on it who could tell it."""

    turn_id: TurnId
    outcome: Literal["completed", "cancelled"]
    close: tuple[CloseItem, ...]
    withdraw: tuple[DecisionId, ...]


@dataclass(frozen=True, slots=True)
class WithdrawQuestion:
    """What it belongs to is over, or opens it anew: it is resolved as cancelled."""

    decision_id: DecisionId


@dataclass(frozen=True, slots=True)
class TickTasks:
    """Runs have begun or ended since the list of tasks was told: these are its tasks now."""

    tasks: TaskList


@dataclass(frozen=True, slots=True)
class Relist:
    """Its line in the session browser says less than there is."""


@dataclass(frozen=True, slots=True)
class PutAway:
    """From `due_at` on nobody needs it in memory, and others may write to it."""

    due_at: datetime


Want = (
    AskResume
    | CloseItem
    | ConductRun
    | CancelRun
    | RunTurn
    | HoldTurn
    | StopTurn
    | EndTurn
    | WithdrawQuestion
    | TickTasks
    | Relist
    | PutAway
)
Wants = tuple[Want, ...]
