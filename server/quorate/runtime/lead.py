"""The session as the assistant's tools see it: runs of this turn, and questions to the user."""

from collections.abc import Awaitable, Callable, Sequence

import anyio

from quorate.protocol.ids import RunId
from quorate.protocol.runs import RunSpec
from quorate.runtime.decisions import Decisions
from quorate.runtime.journal import Scope
from quorate.runtime.questions import put_question
from quorate.runtime.runs.active_run import ActiveRun
from quorate.runtime.runs.report import run_report
from quorate.runtime.shielding import shielded

LaunchForTurn = Callable[[RunSpec, Scope], Awaitable[ActiveRun]]
FindRun = Callable[[RunId], ActiveRun]


class SessionLead:
    def __init__(self, scope: Scope, *, launch: LaunchForTurn, find: FindRun, decisions: Decisions) -> None:
        self._scope = scope
        self._launch = launch
        self._find = find
        self._decisions = decisions

    async def launch(self, spec: RunSpec) -> str:
        run = await self._launch(spec, self._scope)
        try:
            await run.finished.wait()
        except anyio.get_cancelled_exc_class():
            # Cancelling a turn cancels its runs.
            await shielded(run.cancel())
            raise
        return run_report(run)

    async def report(self, run_id: RunId) -> str:
        return run_report(self._find(run_id))

    async def ask_person(self, question: str, choices: Sequence[str]) -> str:
        return await put_question(self._decisions, self._scope, question, choices)
