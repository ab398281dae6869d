"""A run before its start: it waits for a yes, and is started, refused or cancelled."""

from collections.abc import Awaitable, Callable

from quorate.engine.commands import Command, FinishRun, StartRun, WithdrawDecision
from quorate.engine.state import QueuedRun
from quorate.protocol.events import RunFinished
from quorate.runtime.decisions import Decisions
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.runs.chronicle import Chronicle

Start = Callable[[StartRun], Awaitable[None]]


class Admission:
    def __init__(
        self, chronicle: Chronicle, journal: Journal, scope: Scope, decisions: Decisions, start: Start
    ) -> None:
        self._chronicle = chronicle
        self._journal = journal
        self._scope = scope
        self._decisions = decisions
        self._start = start

    async def outcome(self) -> None:
        """Until it is started, or is known never to start. Raises UserError where it cannot be started any more."""
        while isinstance(self._chronicle.run, QueuedRun) and self._chronicle.run.finished is None:
            if self._chronicle.wanted:
                await self._perform(self._chronicle.wanted[0])
            else:
                await self._chronicle.next_fact()

    async def _perform(self, command: Command) -> None:
        match command:
            case StartRun():
                await self._start(command)
            case WithdrawDecision(decision_id):
                await self._decisions.resolve_unless_answered(decision_id, by="cancelled")
            case FinishRun(outcome=outcome, spending=spending, error=error):
                finished = RunFinished(outcome=outcome, usage=spending.usage, error=error)
                await self._journal.append(finished, self._scope)
            case _:
                raise RuntimeError(f"{type(command).__name__} is not wanted before a run starts")
