"""A log that several processes share, each with a state of its own; only whoever has the lease writes."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from teamwright.engine.session.reduce import reduce
from teamwright.engine.session.state import SessionState
from teamwright.protocol.events import (
    DecisionResolved,
    DurableEvent,
)
from teamwright.protocol.ids import DecisionId, RunId, SessionId, TurnId
from teamwright.protocol.plans import Plan, PlanTask
from teamwright.protocol.records import EventRecord, Scope
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import SessionSummary
from tests.engine.chance import Chance
from tests.engine.telling import START

SESSION = SessionId("ses_1")
READING = frozenset({"read_file"})
CALL = Usage(input_tokens=2, output_tokens=1, calls=1)
PLAN = Plan(title="A plan", tasks=(PlanTask(id="1", title="do it"),))

K = TypeVar("K")
Act = Callable[[], None]
# What a task waits for before its next step; none: it goes on when it is its turn.
Ready = Callable[[], bool] | None
Steps = Generator[Ready, None, None]


@dataclass
class Task:
    """What a process has at work: each step of it writes at most once, and nothing is left of it when it dies."""

    steps: Steps
    waits_for: Ready = None

    @property
    def is_ready(self) -> bool:
        return self.waits_for is None or self.waits_for()


@dataclass
class Process:
    name: str
    state: SessionState | None = None
    turns: dict[TurnId, Task] = field(default_factory=dict[TurnId, Task])
    runs: dict[RunId, Task] = field(default_factory=dict[RunId, Task])
    # What those turns were answered with that are over, and whose end is not written yet.
    spent: dict[TurnId, Usage] = field(default_factory=dict[TurnId, Usage])


class SharedLog:
    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.log: list[EventRecord] = []
        self.processes = (Process("one"), Process("two"))
        self.owner: Process | None = None
        self._made = 0
        self._on_disk = SessionState(SESSION)

    @property
    def now(self) -> datetime:
        return self.log[-1].at if self.log else START

    def known(self) -> SessionState | None:
        """As it stands on disk; that a state from the log is the same is a test of its own."""
        if self.owner is not None:
            return self.owner.state
        return self._on_disk if self.log else None

    def leave(self, process: Process) -> None:
        assert process.state is not None
        self._on_disk = process.state._replace(gone_up_to=0)
        process.state = None
        for part in (process.turns, process.runs, process.spent):
            part.clear()
        self.owner = None

    def withdraw(self, decision_id: DecisionId) -> None:
        scope = self.state.decisions.open[decision_id].scope
        self.write(DecisionResolved(decision_id=decision_id, choice="cancel", by="cancelled"), scope)

    def run_scope(self, run_id: RunId) -> Scope:
        known = self.state.runs.known(run_id)
        assert known is not None
        return known.scope

    @property
    def state(self) -> SessionState:
        assert self.owner is not None
        assert self.owner.state is not None
        return self.owner.state

    def summary(self) -> SessionSummary:
        heading = self.state.heading
        return SessionSummary(
            session_id=SESSION, title=heading.title, created_at=START, updated_at=self.now, modes=heading.modes
        )

    def new_id(self, prefix: str) -> str:
        self._made += 1
        return f"{prefix}_{self._made}"

    def write(self, event: DurableEvent, scope: Scope) -> None:
        self.write_all([(event, scope)])

    def write_all(self, facts: Sequence[tuple[DurableEvent, Scope]]) -> None:
        """All of them or none, and only by whoever has the lease."""
        owner = self.owner
        assert owner is not None
        assert owner.state is not None
        for event, scope in facts:
            record = EventRecord(
                seq=len(self.log) + 1,
                at=self.now + timedelta(seconds=1),
                session_id=SESSION,
                turn_id=scope.turn_id,
                run_id=scope.run_id,
                agent_id=scope.agent_id,
                event=event,
            )
            self.log.append(record)
            owner.state = reduce(owner.state, record)
