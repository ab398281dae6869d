"""The session as the assistant's tools see it: runs of this turn, and questions to the user."""

from collections.abc import Awaitable, Callable, Sequence

from teamwright.engine.run.state import Run
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.decisions import Choice, CommandDecision, CommandDetail
from teamwright.protocol.errors import NotFound
from teamwright.protocol.ids import DecisionId, RunId
from teamwright.protocol.records import Scope
from teamwright.protocol.runs import RunSpec
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.runs.active_run import ActiveRun
from teamwright.runtime.sessions.decisions import Decisions
from teamwright.runtime.sessions.questions import as_told, put_question
from teamwright.runtime.shielding import shielded

LaunchForTurn = Callable[[RunSpec, Scope], Awaitable[ActiveRun]]
FindRun = Callable[[RunId], ActiveRun]
Report = Callable[[Run], str]
Analyse = Callable[[RunId], Awaitable[str]]


class SessionRunLauncher:
    def __init__(
        self,
        scope: Scope,
        *,
        launch: LaunchForTurn,
        find: FindRun,
        report: Report,
        analyse: Analyse,
        decisions: Decisions,
    ) -> None:
        self._scope = scope
        self._launch = launch
        self._find = find
        self._report = report
        self._analyse = analyse
        self._decisions = decisions
        # The run that was launched or followed last.
        self.latest: RunId | None = None

    async def launch(self, spec: RunSpec) -> str:
        # Whoever is cancelled in mid-launch must know which run to cancel.
        run = await shielded(self._launch(spec, self._scope))
        return await self.follow(run.run_id)

    async def follow(self, run_id: RunId) -> str:
        """To its end, also a run that was launched before a restart. Who calls the turn off calls its runs off, too."""
        self.latest = run_id
        run = self._find(run_id)
        await run.finished.wait()
        return self._told(run)

    async def report(self, run_id: RunId) -> str:
        return self._told(self._find(run_id))

    async def analyse(self, run_id: RunId) -> str:
        return await self._analyse(self._find(run_id).run_id)

    async def ask_person(self, question: str, choices: Sequence[str]) -> str:
        return await put_question(self._decisions, self._scope, question, choices)

    async def ask_for_check(self, check: CheckDefinition, question: str) -> bool:
        """What was said to it in this turn before, also before a restart, still holds."""
        for said in self._decisions.decided("command", self._scope):
            if said.title == question:
                return said.resolution.choice == "approve"
        decision = CommandDecision(
            decision_id=DecisionId(fresh_id("dec")),
            title=question,
            choices=(Choice(id="approve", label="Run it"), Choice(id="cancel", label="Do not")),
            detail=CommandDetail(argv=check.argv, cwd=check.cwd or "."),
        )
        return (await self._decisions.ask(decision, self._scope)).choice == "approve"

    async def answer_to(self, question: DecisionId) -> str:
        """For a question that was put before a restart."""
        return as_told(await self._decisions.answer_to(question))

    def _told(self, active: ActiveRun) -> str:
        if active.run is None:
            raise NotFound(f"The run {active.run_id} has not begun.")
        return self._report(active.run)
