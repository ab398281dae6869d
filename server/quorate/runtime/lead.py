"""The session as the assistant's tools see it: runs of this turn, and questions to the user."""

from collections.abc import Awaitable, Callable, Sequence

import anyio

from quorate.engine.state import Run
from quorate.protocol.errors import NotFound
from quorate.protocol.ids import DecisionId, RunId
from quorate.protocol.runs import RunSpec
from quorate.runtime.decisions import Decisions
from quorate.runtime.journal import Scope
from quorate.runtime.questions import as_told, put_question
from quorate.runtime.runs.active_run import ActiveRun
from quorate.runtime.shielding import shielded

LaunchForTurn = Callable[[RunSpec, Scope], Awaitable[ActiveRun]]
FindRun = Callable[[RunId], ActiveRun]
Report = Callable[[Run], str]

# For how long a turn that was called off waits for the end of its run, to be over after it.
_ENDING_SECONDS = 10.0


class SessionLead:
    def __init__(
        self,
        scope: Scope,
        *,
        launch: LaunchForTurn,
        find: FindRun,
        report: Report,
        decisions: Decisions,
        is_called_off: Callable[[], bool],
    ) -> None:
        self._scope = scope
        self._launch = launch
        self._find = find
        self._report = report
        self._decisions = decisions
        self._is_called_off = is_called_off
        # The run that was launched or followed last.
        self.latest: RunId | None = None

    async def launch(self, spec: RunSpec) -> str:
        # Whoever is cancelled in mid-launch must know which run to cancel.
        run = await shielded(self._launch(spec, self._scope))
        return await self.follow(run.run_id)

    async def follow(self, run_id: RunId) -> str:
        """To its end, also a run that was launched before a restart."""
        self.latest = run_id
        run = self._find(run_id)
        try:
            await run.finished.wait()
        except anyio.get_cancelled_exc_class():
            # Cancelling a turn cancels its runs. A server that closes leaves them for the next one.
            if self._is_called_off():
                await shielded(run.cancel())
                with anyio.move_on_after(_ENDING_SECONDS, shield=True):
                    await run.finished.wait()
            raise
        return self._told(run)

    def is_finished(self, run_id: RunId) -> bool:
        return self._find(run_id).finished.is_set()

    async def report(self, run_id: RunId) -> str:
        return self._told(self._find(run_id))

    async def ask_person(self, question: str, choices: Sequence[str]) -> str:
        return await put_question(self._decisions, self._scope, question, choices)

    async def answer_to(self, question: DecisionId) -> str:
        """For a question that was put before a restart."""
        return as_told(await self._decisions.answer_to(question))

    def _told(self, active: ActiveRun) -> str:
        if active.run is None:
            raise NotFound(f"The run {active.run_id} has not begun.")
        return self._report(active.run)
