"""A run as someone waits for it: until it has ended, or needs a decision."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import anyio

from teamwright.protocol.decisions import Decision
from teamwright.protocol.events import DecisionRequested, DecisionResolved, RunFinished, RunStarted, RunUpdated
from teamwright.protocol.ids import DecisionId, RunId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import RunView


@dataclass(frozen=True, slots=True)
class Waits:
    decision: Decision


@dataclass(frozen=True, slots=True)
class Ended:
    pass


class Watch:
    """Hears of every run that this client has launched or answered for."""

    def __init__(self) -> None:
        self._open: dict[DecisionId, tuple[RunId, Decision]] = {}
        self._ended: set[RunId] = set()
        # A plan is carried out by a run of its own, which is waited for in place of the first.
        self._executed_by: dict[RunId, RunId] = {}
        self._views: dict[RunId, RunView] = {}
        self._news = anyio.Event()

    def __call__(self, record: EventRecord) -> None:
        run_id = record.run_id
        match record.event:
            case DecisionRequested(decision=decision) if run_id is not None:
                self._open[decision.decision_id] = (run_id, decision)
            case DecisionResolved(decision_id=decision_id):
                self._open.pop(decision_id, None)
            case RunStarted(parent_run_id=parent) if run_id is not None and parent is not None:
                self._executed_by[parent] = run_id
            case RunFinished() if run_id is not None:
                self._ended.add(run_id)
            case RunUpdated(run=view):
                self._views[view.run_id] = view
            case _:
                return
        self._news.set()
        self._news = anyio.Event()

    async def until_it_rests(self, run_id: RunId) -> AsyncGenerator[RunView | Waits | Ended]:
        """How it stands, again and again; the last is why it rests."""
        shown: RunView | None = None
        while True:
            news = self._news
            followed = {run_id, self._executed_by.get(run_id, run_id)}
            for run, decision in tuple(self._open.values()):
                if run in followed:
                    yield Waits(decision)
                    return
            # One that carries out a plan ends before the run whose plan it was, which tells of both.
            if run_id in self._ended:
                yield Ended()
                return
            view = self._views.get(self._executed_by.get(run_id, run_id))
            if view is not None and view is not shown:
                shown = view
                yield view
            await news.wait()

    def run_of(self, decision_id: DecisionId) -> RunId | None:
        """The one that was launched, also where another carries out its plan."""
        known = self._open.get(decision_id)
        if known is None:
            return None
        return next((parent for parent, child in self._executed_by.items() if child == known[0]), known[0])
