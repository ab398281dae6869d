"""What this process knows of a session: the state of its log, and what is only of the moment."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import anyio

from teamwright.engine.run.state import Run
from teamwright.engine.session import view as drawn
from teamwright.engine.session.budget import total_spending
from teamwright.engine.session.reduce import described, fold, reduce, taken_over
from teamwright.engine.session.state import SessionRun, SessionState
from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.protocol.events import (
    AgentStopped,
    ItemDelta,
    ItemFinished,
    ItemStarted,
    RunFinished,
    TurnFinished,
    UsageReported,
)
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.ids import AgentId, ItemId, RunId, SessionId, TurnId
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import EventRecord
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import SessionSummary, SessionView

# What may change what is to be done; the rest of what happens in a run is the run's own business.
_STIRRING: Final = frozenset(
    {
        "session.compacted",
        "turn.queued",
        "turn.started",
        "turn.finished",
        "run.started",
        "run.finished",
        "tasks.updated",
        "decision.requested",
        "decision.resolved",
        "cancel.requested",
    }
)
_Spender = tuple[RunId | TurnId | None, AgentId | None]


class SessionStateCell:
    """The one fold of a session's log in this process; everybody who acts on the session looks here, when they act."""

    def __init__(self, session_id: SessionId, modes: Modes | None = None) -> None:
        """`modes`: of a session that has no record yet."""
        self.state = SessionState(session_id) if modes is None else SessionState.new(session_id, modes)
        self.runs = LiveRuns(self)
        self._streamed: defaultdict[ItemId, list[str]] = defaultdict(list)
        self._spent: dict[_Spender, Spending] = {}
        self._changed = anyio.Event()

    @property
    def session_id(self) -> SessionId:
        return self.state.session_id

    @property
    def last_seq(self) -> int:
        return self.state.last_seq

    def take_over(self) -> None:
        """We are the log's writer now, and whoever wrote it so far is gone."""
        self.state = taken_over(self.state)

    def load(self, records: Iterable[EventRecord]) -> None:
        """Records of old, of which nobody waits to hear: whoever acts on the session looks when all of it is read."""
        self.state = fold(records, self.state)

    @property
    def has_facts(self) -> bool:
        return self.state.last_fact_at is not None

    def describe(self, told: SessionSummary) -> None:
        """For a session of whose log nothing can be read."""
        self.state = described(self.state, told)

    def fold(self, record: EventRecord) -> None:
        self.state = reduce(self.state, record)
        match record.event:
            case ItemStarted(usage=Usage()):
                self._spent.pop(_spender(record), None)
            case ItemFinished(item=item, usage=usage):
                self._streamed.pop(item.item_id, None)
                if usage is not None:
                    self._spent.pop(_spender(record), None)
            case AgentStopped():
                self._spent.pop(_spender(record), None)
            case RunFinished():
                self._forget(record.run_id)
            case TurnFinished():
                self._forget(record.turn_id)
            case _:
                pass
        if record.event.type in _STIRRING:
            self.wake()

    def wake(self) -> None:
        """Whoever looks at what is to be done looks again."""
        self._changed.set()
        self._changed = anyio.Event()

    @property
    def changed(self) -> anyio.Event:
        """Set at the next change; to be taken before the look that it is to follow."""
        return self._changed

    def see(self, record: EventRecord) -> EventRecord:
        """What streams, and what is being spent, is part of the view, so that whoever comes in the middle of it misses
        nothing."""
        match record.event:
            case ItemDelta(item_id=item_id, text=text):
                self._streamed[item_id].append(text)
            case UsageReported() as event:
                spender = _spender(record)
                so_far = self._spent.get(spender, NOTHING_SPENT)
                self._spent[spender] = so_far + Spending(event.usage, event.cost_usd)
                completed = event.model_copy(update={"session_cost_usd": self.spending.cost_usd})
                return record.model_copy(update={"event": completed})
            case _:
                pass
        return record

    @property
    def spending(self) -> Spending:
        """Up to this moment, with the turns and runs that are still under way."""
        return total_spending(self.state, sum(self._spent.values(), NOTHING_SPENT))

    def text_so_far(self, item_id: ItemId) -> str:
        """Of an item that streams."""
        return "".join(self._streamed.get(item_id, ()))

    def summary(self) -> SessionSummary:
        return drawn.summary(self.state)

    def view(self) -> SessionView:
        return drawn.view(self.state, {item_id: "".join(texts) for item_id, texts in self._streamed.items()})

    def findings(self) -> tuple[AgreedFinding, ...]:
        return drawn.findings(self.state)

    def _forget(self, whose: RunId | TurnId | None) -> None:
        self._spent = {spender: spent for spender, spent in self._spent.items() if spender[0] != whose}


class LiveRuns(Mapping[RunId, Run]):
    """The runs of a session as they are at the moment of looking, those that are over too."""

    def __init__(self, cell: SessionStateCell) -> None:
        self._cell = cell

    def __getitem__(self, run_id: RunId) -> Run:
        run = self._cell.state.runs.get(run_id)
        if run is None:
            raise KeyError(run_id)
        return run

    def __iter__(self) -> Iterator[RunId]:
        return iter(self._cell.state.runs.order)

    def __len__(self) -> int:
        return len(self._cell.state.runs.order)

    @property
    def last_seq(self) -> int:
        """Of the session's log."""
        return self._cell.last_seq

    def known(self, run_id: RunId) -> SessionRun | None:
        return self._cell.state.runs.known(run_id)

    @property
    def open(self) -> Mapping[RunId, SessionRun]:
        return self._cell.state.runs.open


def _spender(record: EventRecord) -> _Spender:
    return record.run_id or record.turn_id, record.agent_id
