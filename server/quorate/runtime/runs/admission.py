"""A run before its start: it waits for a yes, and is started, refused or cancelled."""

from collections.abc import Awaitable, Callable

import anyio

from quorate.engine.commands import FinishRun, StartRun, WithdrawDecision
from quorate.engine.decide import decide
from quorate.engine.reduce import reduce
from quorate.engine.state import QueuedRun, Run, RunState
from quorate.protocol.events import RunFinished
from quorate.protocol.records import EventRecord
from quorate.runtime.decisions import Decisions
from quorate.runtime.journal import Journal, Scope

Start = Callable[[StartRun], Awaitable[None]]


class Admission:
    def __init__(self, run: QueuedRun, journal: Journal, scope: Scope, decisions: Decisions, start: Start) -> None:
        self.run: Run = run
        self._journal = journal
        self._scope = scope
        self._decisions = decisions
        self._start = start
        self._news = anyio.Event()

    def fold(self, record: EventRecord) -> None:
        self.run = reduce(self.run, record) or self.run
        self._news.set()

    async def outcome(self) -> RunState | None:
        """The started run; None where it never starts."""
        self._journal.fold_into(self.fold)
        try:
            while isinstance(self.run, QueuedRun) and self.run.finished is None:
                self._news = anyio.Event()
                wanted = decide(self.run)
                if wanted:
                    await self._perform(wanted[0])
                else:
                    await self._news.wait()
        finally:
            self._journal.stop_folding(self.fold)
        return self.run if isinstance(self.run, RunState) else None

    async def _perform(self, command: object) -> None:
        match command:
            case StartRun():
                await self._start(command)
            case WithdrawDecision(decision_id):
                await self._decisions.resolve(decision_id, "cancel", by="cancelled")
            case FinishRun(outcome=outcome, spending=spending):
                await self._journal.append(RunFinished(outcome=outcome, usage=spending.usage), self._scope)
            case _:
                raise RuntimeError(f"{type(command).__name__} is not wanted before a run starts")
