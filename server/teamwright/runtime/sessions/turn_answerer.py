"""Who answers a turn of a session: the assistant, or, where the user wants it so, the team at once."""

from functools import partial

from anyio import to_thread

from teamwright.engine.report.markdown import analysis_for_model
from teamwright.engine.session.state import TurnState
from teamwright.engine.session.tasks import current_tasks
from teamwright.engine.session.view import findings_of
from teamwright.engine.session.wants import Closing, RunTurn
from teamwright.models.port import ModelToolCall
from teamwright.permissions.rules import Rules
from teamwright.prompts.assistant.facts import Spent
from teamwright.prompts.assistant.notes import INTERRUPTED
from teamwright.protocol.events import ItemFinished, NoticeRaised
from teamwright.protocol.ids import RunId
from teamwright.protocol.items import Attachment, ToolCall
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import Scope
from teamwright.protocol.runs import RunSpec
from teamwright.runtime.catalog.past_runs import PastRuns
from teamwright.runtime.context.context import Context, Now
from teamwright.runtime.identity import now
from teamwright.runtime.journal import Journal
from teamwright.runtime.projects.keeping import SessionProject
from teamwright.runtime.runs.active_run import ActiveRun
from teamwright.runtime.runs.agents.tool_calls import CURRENT_CALL
from teamwright.runtime.runs.default_paths import attached_paths
from teamwright.runtime.runs.questions import assistant_rules, assistant_servers
from teamwright.runtime.runs.registry import Request, RunRegistry
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.assistant import assistant_for
from teamwright.runtime.sessions.decisions import Decisions
from teamwright.runtime.sessions.permission_questions import PermissionQuestions
from teamwright.runtime.sessions.run_launcher import LaunchForTurn, SessionRunLauncher
from teamwright.runtime.sessions.session_budget import SessionBudget
from teamwright.runtime.sessions.state_cell import SessionStateCell
from teamwright.runtime.sessions.tasks import SessionTasks
from teamwright.runtime.sessions.team_turn import TeamTurn
from teamwright.runtime.sessions.turn import Assistant, Ending, Turn, given_up
from teamwright.tools.dispatcher import Dispatcher, ask_nobody
from teamwright.tools.mcp.supervision import unheard
from teamwright.tools.port import AnyTool, Failed, Outcome, Succeeded


class TurnAnswerer:
    def __init__(
        self,
        services: Services,
        journal: Journal,
        *,
        context: Context,
        decisions: Decisions,
        runs: RunRegistry,
        cell: SessionStateCell,
        project: SessionProject,
        budget: SessionBudget,
    ) -> None:
        self._services = services
        self._journal = journal
        self._context = context
        self._decisions = decisions
        self._runs = runs
        self._cell = cell
        self._project = project
        self._budget = budget

    async def answer(self, turn: Turn, want: RunTurn) -> Ending:
        """Raises ModelError and UserError, which the turn fails with."""
        launcher = self._launcher(turn.scope, self._launch)
        log, modes = self._cell.state.turns.open[want.turn_id], self._cell.state.modes
        if self._is_for_the_team(modes):
            launcher = self._launcher(turn.scope, partial(self._launch_for_user, turn.asked.attachments))
            await self._conclude(turn, want, log, launcher, Dispatcher(self._rules, (), ask_nobody))
            team_turn = TeamTurn(
                turn, services=self._services, journal=self._journal, context=self._context, lead=launcher
            )
            return await team_turn.answer(modes, log)
        assistant = self._assistant(launcher, turn.scope, await self._configured_tools(turn.scope))
        await self._conclude(turn, want, log, launcher, assistant.dispatcher)
        return await turn.answer(assistant, steps_done=want.steps_done)

    def _is_for_the_team(self, modes: Modes) -> bool:
        """Whoever has no assistant, wants the team on everything, or is in plan mode asks the team itself."""
        if not self._services.team.settings.orchestrator.interactive_mode.enabled or modes.team == "always":
            return True
        return modes.plan is True and modes.team == "auto"

    async def _conclude(
        self, turn: Turn, want: RunTurn, log: TurnState, launcher: SessionRunLauncher, dispatcher: Dispatcher
    ) -> None:
        """What a process left open that is gone. Nothing that may have had an effect is done twice."""

        async def outcome(call: ToolCall, how: Closing) -> Outcome:
            if how == "run" and (run_id := log.runs_of.get(call.item_id)) is not None:
                return Succeeded(await launcher.follow(run_id))
            if how == "answer" and log.question_id is not None:
                return Succeeded(await launcher.answer_to(log.question_id))
            if how == "again":
                return await dispatcher.dispatch(ModelToolCall(call.item_id, call.name, call.arguments))
            return Failed(INTERRUPTED)

        for each in want.close:
            item, how = each.item, each.how
            if isinstance(item, ToolCall) and how != "given_up":
                await turn.recorder.concluded(item, partial(outcome, item, how))
            else:
                await self._journal.append(ItemFinished(item=given_up(item)), turn.scope)

    def assistant(self) -> Assistant:
        """As it would answer now, for whoever needs to know what it is sent."""
        return self._assistant(self._launcher(Scope(), self._launch), Scope())

    def _assistant(self, lead: SessionRunLauncher, scope: Scope, configured: tuple[AnyTool, ...] = ()) -> Assistant:
        origin = self._services.client_context.origin(now().date())
        return assistant_for(
            self._services,
            self._cell.state.modes,
            lead,
            self._project,
            SessionTasks(self._journal, self._cell, scope),
            configured=configured,
            now=self._now,
            may_call=self._budget.allows_a_call,
            ask=PermissionQuestions(self._decisions, scope, origin).ask,
        )

    async def _configured_tools(self, scope: Scope) -> tuple[AnyTool, ...]:
        """Those of the MCP servers of the whole team and of the assistant's own."""
        offered = await self._services.mcp.toolkit(
            assistant_servers(self._services.team.settings), unheard, self._services.tool_choices
        )
        for problem in offered.problems:
            self._journal.announce(NoticeRaised(level="warning", text=problem), scope)
        return offered.tools

    @property
    def _rules(self) -> Rules:
        return assistant_rules(self._services, self._cell.state.modes)

    def _launcher(self, scope: Scope, launch: LaunchForTurn) -> SessionRunLauncher:
        return SessionRunLauncher(
            scope,
            launch=launch,
            find=self._runs.run,
            report=lambda run: self._context.report(run, findings_of(self._cell.state, run.run_id)),
            analyse=self._analysis,
            decisions=self._decisions,
        )

    async def _analysis(self, run_id: RunId) -> str:
        runs = PastRuns(self._services.store, self._services.name_of)
        return analysis_for_model(await runs.analysis(run_id))

    async def _launch(self, spec: RunSpec, scope: Scope) -> ActiveRun:
        run, _ = await self._runs.launch(Request(by_assistant=spec, call=CURRENT_CALL.get()), turn_id=scope.turn_id)
        return run

    async def _launch_for_user(self, attachments: tuple[Attachment, ...], spec: RunSpec, scope: Scope) -> ActiveRun:
        """In the user's own words, with what they have attached."""
        attached = await to_thread.run_sync(attached_paths, attachments, self._services.client_context.folders)
        run, _ = await self._runs.launch(Request(by_user=(spec,), attached=attached), turn_id=scope.turn_id)
        return run

    def _now(self) -> Now:
        spent = self._cell.state.account.settled
        return Now(
            now().date(),
            self._cell.state.modes,
            Spent(spent.usage, spent.cost_usd),
            self._budget.limit,
            current_tasks(self._cell.state),
        )
