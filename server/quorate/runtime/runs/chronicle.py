"""What the log says of one run: its state, what that state wants, and a bell for whoever waits for the next fact."""

from collections.abc import Callable, Mapping

import anyio

from quorate.engine.commands import Wanted
from quorate.engine.decide import decide
from quorate.engine.state import Run, RunState
from quorate.protocol.ids import RunId
from quorate.protocol.records import EventRecord


class Chronicle:
    """Everybody who acts on the run looks here, at the moment they act."""

    def __init__(self, run_id: RunId, runs: Mapping[RunId, Run], changed: Callable[[], None]) -> None:
        """`runs` are those of the session, each folded once for all; they hear of a record before this does."""
        self.run_id = run_id
        self.run: Run | None = None
        self._runs = runs
        self.changed = changed
        self._bell = anyio.Event()
        self._decided_for: Run | None = None
        self._wanted: Wanted = ()

    def fold(self, _record: EventRecord) -> None:
        advanced = self._runs.get(self.run_id)
        if advanced is not self.run:
            self.run = advanced
            self.changed()
            self.ring()

    @property
    def state(self) -> RunState:
        if not isinstance(self.run, RunState):
            raise TypeError(f"the run {self.run_id} has not started")
        return self.run

    @property
    def wanted(self) -> Wanted:
        """Of the present state; decided once for each."""
        if self.run is not None and self._decided_for is not self.run:
            self._wanted = decide(self.run)
            self._decided_for = self.run
        return self._wanted

    def ring(self) -> None:
        self._bell.set()
        self._bell = anyio.Event()

    async def next_fact(self) -> None:
        await self._bell.wait()
