"""Who answers a turn of a session: the assistant, or, where the user wants it so, the team at once."""

from collections.abc import Callable

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
from quorate.runtime.runs.desk import Request, RunDesk
from quorate.runtime.session_budget import SessionBudget
from quorate.runtime.session_state import SessionState
from quorate.runtime.team_turn import TeamTurn
from quorate.runtime.turn import Assistant, Ending, Turn


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
        budget: SessionBudget,
    ) -> None:
        self._house = house
        self._journal = journal
        self._context = context
        self._decisions = decisions
        self._runs = runs
        self._state = state
        self._project = project
        self._budget = budget

    async def answer(self, turn: Turn, interrupted: OpenTurn | None) -> Ending:
        """Raises ModelError and UserError, which the turn fails with."""
        if interrupted is not None and interrupted.is_answered:
            return "completed"
        lead = self._lead(turn.scope, turn.is_called_off)
        if interrupted is not None and not await self._resumption(turn, interrupted, lead).goes_on():
            return "cancelled"
        modes = self._state.modes
        if modes.team == "always":
            team_turn = TeamTurn(turn, house=self._house, journal=self._journal, context=self._context, lead=lead)
            return await team_turn.answer(modes, interrupted)
        return await turn.answer(self._assistant(lead), steps_done=0 if interrupted is None else interrupted.steps)

    def assistant(self) -> Assistant:
        """As it would answer now, for whoever needs to know what it is sent."""
        return self._assistant(self._lead(Scope(), is_called_off=lambda: False))

    def _assistant(self, lead: SessionLead) -> Assistant:
        return assistant_for(
            self._house,
            self._state.modes,
            lead,
            self._project,
            now=self._now,
            may_call=self._budget.allows_a_call,
        )

    def _resumption(self, turn: Turn, interrupted: OpenTurn, lead: SessionLead) -> Resumption:
        return Resumption(
            turn,
            interrupted,
            journal=self._journal,
            decisions=self._decisions,
            lead=lead,
            policy=self._house.team.settings.orchestrator.interactive_mode.resume,
            budget=self._budget,
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
        return Now(now().date(), self._state.modes, Spent(spent.usage, spent.cost_usd), self._budget.limit)
