"""Who answers a turn of a session: the assistant, or, where the user wants it so, the team at once."""

from collections.abc import Callable
from typing import Literal

from quorate.prompts.assistant.facts import Spent
from quorate.protocol.runs import RunSpec
from quorate.runtime.assistant import assistant_for
from quorate.runtime.context.context import Context, Now
from quorate.runtime.decisions import Decisions
from quorate.runtime.house import House
from quorate.runtime.identity import now
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.lead import SessionLead
from quorate.runtime.open_turns import OpenTurn
from quorate.runtime.projects.keeping import SessionProject
from quorate.runtime.resuming import Resumption
from quorate.runtime.runs.active_run import ActiveRun
from quorate.runtime.runs.defaults import run_defaults
from quorate.runtime.runs.desk import Request, RunDesk
from quorate.runtime.session_state import SessionState
from quorate.runtime.team_turn import TeamTurn
from quorate.runtime.turn import Assistant, Turn

# How a turn ends that ends by itself.
Ending = Literal["completed", "cancelled"]


class Answering:
    def __init__(
        self,
        house: House,
        journal: Journal,
        *,
        context: Context,
        decisions: Decisions,
        runs: RunDesk,
        state: SessionState,
        project: SessionProject,
    ) -> None:
        self._house = house
        self._journal = journal
        self._context = context
        self._decisions = decisions
        self._runs = runs
        self._state = state
        self._project = project

    async def answer(self, turn: Turn, interrupted: OpenTurn | None) -> Ending:
        """Raises ModelError and UserError, which the turn fails with."""
        lead = self._lead(turn.scope, turn.is_called_off)
        if interrupted is not None and not await self._resumption(turn, interrupted, lead).goes_on():
            return "cancelled"
        modes = self._state.modes
        if modes.team == "always":
            team_turn = TeamTurn(turn, house=self._house, journal=self._journal, context=self._context, lead=lead)
            return await team_turn.answer(modes, interrupted)
        await turn.answer(assistant_for(self._house, modes, lead, self._project, now=self._now))
        return "completed"

    def assistant(self) -> Assistant:
        """As it would answer now, for whoever needs to know what it is sent."""
        lead = self._lead(Scope(), is_called_off=lambda: False)
        return assistant_for(self._house, self._state.modes, lead, self._project, now=self._now)

    def _resumption(self, turn: Turn, interrupted: OpenTurn, lead: SessionLead) -> Resumption:
        return Resumption(
            turn,
            interrupted,
            journal=self._journal,
            decisions=self._decisions,
            lead=lead,
            policy=self._house.team.settings.orchestrator.interactive_mode.resume,
        )

    def _lead(self, scope: Scope, is_called_off: Callable[[], bool]) -> SessionLead:
        return SessionLead(
            scope,
            launch=self._launch,
            find=self._runs.run,
            report=lambda run: self._context.report(run, self._state.findings_of(run.run_id)),
            decisions=self._decisions,
            is_called_off=is_called_off,
        )

    async def _launch(self, spec: RunSpec, scope: Scope) -> ActiveRun:
        run, _ = await self._runs.launch(Request(by_assistant=spec), turn_id=scope.turn_id)
        return run

    def _now(self) -> Now:
        spent = self._state.spending
        budget = run_defaults(self._house.team.settings).budget
        return Now(now().date(), self._state.modes, Spent(spent.usage, spent.cost_usd), budget)
