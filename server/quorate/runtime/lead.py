"""The session as the assistant's tools see it: runs of this turn, and questions to the user."""

from collections.abc import Awaitable, Callable, Sequence

import anyio

from quorate.engine.state import Run
from quorate.protocol.errors import NotFound
from quorate.protocol.ids import RunId
from quorate.protocol.runs import RunSpec
from quorate.runtime.decisions import Decisions
from quorate.runtime.journal import Scope
from quorate.runtime.questions import put_question
from quorate.runtime.runs.active_run import ActiveRun
from quorate.runtime.shielding import shielded

LaunchForTurn = Callable[[RunSpec, Scope], Awaitable[ActiveRun]]
FindRun = Callable[[RunId], ActiveRun]
Report = Callable[[Run], str]


class SessionLead:
    def __init__(
        self, scope: Scope, *, launch: LaunchForTurn, find: FindRun, report: Report, decisions: Decisions
    ) -> None:
        self._scope = scope
        self._launch = launch
        self._find = find
        self._report = report
        self._decisions = decisions

    async def launch(self, spec: RunSpec) -> str:
        run = await self._launch(spec, self._scope)
        try:
            await run.finished.wait()
        except anyio.get_cancelled_exc_class():
            # Cancelling a turn cancels its runs.
            await shielded(run.cancel())
            raise
        return self._told(run)

    async def report(self, run_id: RunId) -> str:
        return self._told(self._find(run_id))

    async def ask_person(self, question: str, choices: Sequence[str]) -> str:
        return await put_question(self._decisions, self._scope, question, choices)

    def _told(self, active: ActiveRun) -> str:
        if active.run is None:
            raise NotFound(f"The run {active.run_id} has not begun.")
        return self._report(active.run)
