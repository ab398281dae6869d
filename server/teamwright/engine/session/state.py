"""A session as its facts have made it. Immutable: a fact makes a new state, nothing changes one.

It has parts, each folded by itself: none of them needs to know what another has made of the same record. What nearly
every record makes anew is a named tuple: it is made in a quarter of a frozen dataclass's time, and logs are long.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

from teamwright.engine.run.state import Run
from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.protocol.decisions import BudgetSpent, Decision, Resolution
from teamwright.protocol.ids import DecisionId, FindingId, ItemId, RunId, SessionId, TurnId
from teamwright.protocol.items import Attachment, Item
from teamwright.protocol.modes import Modes
from teamwright.protocol.plans import TaskList
from teamwright.protocol.records import Scope


class PlacedItem(NamedTuple):
    """An item, where it stands in the log, and what it belongs to."""

    item: Item
    seq: int
    scope: Scope


Items = Mapping[ItemId, PlacedItem]
_NO_ITEMS: Final[Items] = MappingProxyType({})


# What is also written by whoever only asks about a thing, closes it or wants it closed: nobody is at work for that.
NO_WORK: Final = frozenset({"item.finished", "decision.requested", "cancel.requested"})


_NO_MODES: Final = Modes()
_PREVIEW_LENGTH: Final = 160


@dataclass(frozen=True, slots=True)
class Heading:
    """What the session is called, and what holds in it."""

    title: str = ""
    project: str | None = None
    modes: Modes = _NO_MODES
    created_at: datetime | None = None
    # Whether something has happened since its line in the browser was written.
    is_stale: bool = False


class TurnState(NamedTuple):
    """A message in line, or being answered; one that is over is no longer kept."""

    turn_id: TurnId
    text: str
    attachments: tuple[Attachment, ...] = ()
    # In force from its start on, where the message came with modes of its own.
    modes: Modes | None = None
    # Where in the log the last fact of somebody at work on it stands; nobody was before its start.
    worked_on: int | None = None
    cancel_requested: bool = False
    has_message: bool = False
    open_items: Items = _NO_ITEMS
    # What its latest call came to; and the runs that its calls came to, by the calls.
    run_id: RunId | None = None
    runs_of: Mapping[ItemId, RunId] = MappingProxyType({})
    question_id: DecisionId | None = None
    # Where in the log a person's word about whether it may be carried out stands.
    permitted_at: int | None = None
    calls_done: int = 0
    # Model calls of which something came, so that a restart gives it no more than it had.
    steps: int = 0
    # As far as its items tell it; the rest is known to whoever is at work on it.
    spent: Spending = NOTHING_SPENT
    is_presented: bool = False
    # Only its end is missing: nobody is asked for it, neither a person nor a model.
    is_answered: bool = False
    has_words_since: bool = False

    @property
    def has_started(self) -> bool:
        return self.worked_on is not None


class TurnQueue(NamedTuple):
    """In the order in which they were asked for; only the first can have started."""

    open: Mapping[TurnId, TurnState] = MappingProxyType({})
    begun: int = 0

    @property
    def first(self) -> TurnState | None:
        return next(iter(self.open.values()), None)

    @property
    def under_way(self) -> TurnState | None:
        first = self.first
        return first if first is not None and first.has_started else None

    @property
    def waiting(self) -> tuple[TurnState, ...]:
        return tuple(turn for turn in self.open.values() if not turn.has_started)


class SessionRun(NamedTuple):
    """A run by its own engine, and what the session knows of it besides."""

    run: Run
    scope: Scope
    # Where in the log the last fact of somebody at work on it stands.
    worked_on: int
    open_items: Items = _NO_ITEMS


class Runs(NamedTuple):
    """Those that are over are kept apart, so that a fact costs as much in a session of many runs as in one of few."""

    open: Mapping[RunId, SessionRun] = MappingProxyType({})
    ended: Mapping[RunId, SessionRun] = MappingProxyType({})
    order: tuple[RunId, ...] = ()

    def get(self, run_id: RunId) -> Run | None:
        known = self.known(run_id)
        return None if known is None else known.run

    def known(self, run_id: RunId) -> SessionRun | None:
        return self.open.get(run_id) or self.ended.get(run_id)

    def all(self) -> tuple[Run, ...]:
        """In the order in which they began."""
        return tuple(run for run_id in self.order if (run := self.get(run_id)) is not None)


@dataclass(frozen=True, slots=True)
class OpenDecision:
    decision: Decision
    scope: Scope
    seq: int


@dataclass(frozen=True, slots=True)
class Decided:
    kind: str
    title: str
    scope: Scope
    resolution: Resolution

    def is_question_in(self, scope: Scope) -> bool:
        return self.kind == "input" and self.scope == scope


@dataclass(frozen=True, slots=True)
class DecisionLog:
    open: Mapping[DecisionId, OpenDecision] = field(default_factory=dict[DecisionId, OpenDecision])
    decided: Mapping[DecisionId, Decided] = field(default_factory=dict[DecisionId, Decided])

    def resolution(self, decision_id: DecisionId) -> Resolution | None:
        decided = self.decided.get(decision_id)
        return None if decided is None else decided.resolution

    def latest(self, kind: str, scope: Scope) -> Resolution | None:
        """How the last decision of this kind in exactly this scope was taken."""
        alike = (each for each in reversed(tuple(self.decided.values())) if each.kind == kind and each.scope == scope)
        return next((each.resolution for each in alike), None)

    def open_in(self, scope: Scope) -> tuple[DecisionId, ...]:
        """What waits for a person in exactly this scope."""
        return tuple(key for key, each in self.open.items() if each.scope == scope)


@dataclass(frozen=True, slots=True)
class Account:
    """What was spent by what is over; what is under way is counted by the runs, and by whoever works on a turn."""

    settled: Spending = NOTHING_SPENT
    # What had been spent when the session's budget was last found to be reached, and when a person last let it go on.
    reached_at: BudgetSpent | None = None
    granted: BudgetSpent | None = None


@dataclass(frozen=True, slots=True)
class WorkTime:
    """How long something was at work: neither idle, nor only waiting for a person, nor gone with its server."""

    counted: timedelta = timedelta()
    since: datetime | None = None

    def seconds(self, at: datetime) -> float:
        under_way = timedelta() if self.since is None else at - self.since
        return (self.counted + under_way).total_seconds()


class Talk(NamedTuple):
    """The latest items, and what is said of the conversation as a whole."""

    items: Items = _NO_ITEMS
    # The last text that says anything, as it was written.
    last_text: str = ""
    messages: int = 0
    compacted_up_to: int = 0

    @property
    def last_message(self) -> str:
        """The beginning of it on one line, for the browser."""
        # A word takes two characters at least: more of them are not looked at.
        return " ".join(self.last_text.split(maxsplit=_PREVIEW_LENGTH)[:_PREVIEW_LENGTH])[:_PREVIEW_LENGTH]


class SessionState(NamedTuple):
    session_id: SessionId
    last_seq: int = 0
    # Up to here the log was written by processes that are gone: what was at work there is at work no more.
    gone_up_to: int = 0
    last_fact_at: datetime | None = None
    heading: Heading = Heading()
    turns: TurnQueue = TurnQueue()
    runs: Runs = Runs()
    decisions: DecisionLog = DecisionLog()
    dismissed: frozenset[FindingId] = frozenset()
    account: Account = Account()
    work_time: WorkTime = WorkTime()
    talk: Talk = Talk()
    tasks: TaskList = ()

    @classmethod
    def new(cls, session_id: SessionId, modes: Modes) -> "SessionState":
        """Of a session without any record, which begins with these modes."""
        return cls(session_id, heading=Heading(modes=modes))

    @property
    def modes(self) -> Modes:
        return self.heading.modes

    @property
    def is_busy(self) -> bool:
        """Something is under way or in line, be it that it waits for a person."""
        return bool(self.turns.open) or bool(self.runs.open)
