"""A session: one log, its turns, its runs, and what waits for a person."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from quorate.engine.commands import StartRun
from quorate.permissions.rules import AlwaysAsk, AskAbove, NeverAsk, Rules, whole_workspace
from quorate.protocol.decisions import Resolution, RunDecision
from quorate.protocol.errors import NotFound
from quorate.protocol.events import DecisionRequested, RunStarted, SessionCreated
from quorate.protocol.ids import DecisionId, RunId, SessionId, TurnId
from quorate.protocol.modes import Modes
from quorate.protocol.runs import ResolvedRunSpec, RunSpec, RunSpecEdit
from quorate.protocol.validation import parse_params
from quorate.protocol.views import SessionSummary
from quorate.runtime.decisions import Decisions
from quorate.runtime.house import House
from quorate.runtime.identity import fresh_id, now
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.lead import SessionLead
from quorate.runtime.runs.active_run import ActiveRun
from quorate.runtime.runs.approval import estimate, run_question
from quorate.runtime.runs.defaults import run_approval
from quorate.runtime.runs.resolving import resolved
from quorate.runtime.transcript import Transcript
from quorate.runtime.turn import Assistant
from quorate.runtime.turns import Turns
from quorate.tools.assistant.get_run import GetRun
from quorate.tools.assistant.launch_run import LaunchRun
from quorate.tools.files.toolkit import reading_tools
from quorate.tools.port import AnyTool
from quorate.tools.repository.git_diff import GitDiff
from quorate.tools.repository.git_log import GitLog
from quorate.tools.request_input import RequestInput

Approval = Literal["ask", "given"]

_TITLE_LENGTH = 60
_RESULTS_SHOWN = 3
# Where a person is there to stop it, a turn still ends by itself.
_MOST_STEPS = 100


@dataclass(frozen=True, slots=True)
class Request:
    """Who asked for a run, and for what: a person's latest words first."""

    by_user: tuple[RunSpec, ...] = ()
    by_assistant: RunSpec | None = None

    def edited(self, edit: RunSpecEdit) -> "Request":
        return replace(self, by_user=(edit, *self.by_user))


class Session:
    def __init__(self, house: House, session_id: SessionId) -> None:
        self.session_id = session_id
        self._house = house
        self._journal = Journal(session_id, house.store, house.bus)
        self._transcript = Transcript()
        self.decisions = Decisions(self._journal)
        self._journal.fold_into(self._transcript.fold)
        self._journal.fold_into(self.decisions.fold)
        self.turns = Turns(self._journal, self._transcript, self._assistant, house.tasks)
        self.runs: dict[RunId, ActiveRun] = {}
        self._requests: dict[RunId, Request] = {}
        self.modes = Modes(autonomy=house.team.settings.orchestrator.interactive_mode.autonomy)

    async def create(self, about: str) -> None:
        at = now()
        title = " ".join(about.split())[:_TITLE_LENGTH]
        summary = SessionSummary(
            session_id=self.session_id, title=title, created_at=at, updated_at=at, modes=self.modes
        )
        await self._journal.append(SessionCreated(session=summary), Scope())

    async def launch(
        self,
        *,
        by_user: RunSpec | None = None,
        by_assistant: RunSpec | None = None,
        approval: Approval | None = None,
        turn_id: TurnId | None = None,
    ) -> tuple[ActiveRun, DecisionId | None]:
        """Raises BadParams before anything is written: a run that could not go is not begun."""
        request = Request(by_user=(by_user,) if by_user else (), by_assistant=by_assistant)
        runnable = await self._resolved(request)
        run = self._enlist(RunId(fresh_id("run")), request, turn_id)
        question = await run_question(self._house, runnable) if await self._must_ask(runnable, approval) else None
        if question is None:
            await self._start(run.scope, runnable)
        else:
            await self._journal.append(DecisionRequested(decision=question), run.scope)
        self._house.tasks.start_soon(run.go)
        return run, None if question is None else question.decision_id

    async def approve(
        self, decision_id: DecisionId, choice: str, edits: dict[str, Any] | None, instructions: str | None
    ) -> Resolution:
        pending = self.decisions.pending.get(decision_id)
        if pending is not None and isinstance(pending.decision, RunDecision) and edits is not None:
            # Said now, while it can still be mended: an edit that cannot run is no approval.
            request = self._asked_for(pending.scope.run_id)
            await self._resolved(request.edited(parse_params(RunSpecEdit, edits)))
        return await self.decisions.resolve(decision_id, choice, by="user", edits=edits, text=instructions)

    def run(self, run_id: RunId) -> ActiveRun:
        if run_id not in self.runs:
            raise NotFound(f"There is no run {run_id} in this session.")
        return self.runs[run_id]

    async def _must_ask(self, spec: ResolvedRunSpec, approval: Approval | None) -> bool:
        if approval is not None:
            return approval == "ask"
        if self.modes.autonomy == "autonomous":
            return False
        match run_approval(self._house.team.settings):
            case AlwaysAsk():
                return True
            case NeverAsk():
                return False
            case AskAbove(usd):
                cost = await estimate(self._house, spec)
                return cost is None or cost.usd_high > usd

    async def _resolved(self, request: Request) -> ResolvedRunSpec:
        return await resolved(
            self._house,
            self.modes,
            by_user=request.by_user,
            by_assistant=request.by_assistant,
            watched=self._house.bus.is_heard(self.session_id),
        )

    def _asked_for(self, run_id: RunId | None) -> Request:
        if run_id is None or run_id not in self._requests:
            raise NotFound("There is no such run in this session.")
        return self._requests[run_id]

    def _enlist(self, run_id: RunId, request: Request, turn_id: TurnId | None) -> ActiveRun:
        self._requests[run_id] = request
        scope = Scope(turn_id=turn_id, run_id=run_id)

        async def start(command: StartRun) -> None:
            edited = request.edited(parse_params(RunSpecEdit, command.edits)) if command.edits else request
            runnable = await self._resolved(edited)
            if command.instructions:
                context = "\n\n".join(filter(None, [runnable.context, command.instructions]))
                runnable = runnable.model_copy(update={"context": context})
            await self._start(scope, runnable)

        run = ActiveRun(
            self._house,
            self._journal,
            self.decisions,
            run_id=run_id,
            scope=scope,
            start=start,
            execute=self._execute,
            cancel_run=self._cancel_run,
            history="\n\n".join(self._transcript.run_results[-_RESULTS_SHOWN:]),
        )
        self.runs[run_id] = run
        return run

    async def _start(self, scope: Scope, spec: ResolvedRunSpec, parent: RunId | None = None) -> None:
        started = RunStarted(
            spec=spec,
            parent_run_id=parent,
            autonomy=self.modes.autonomy,
            apply_changes=self._house.team.settings.orchestrator.interactive_mode.apply_changes,
        )
        await self._journal.append(started, scope)

    async def _execute(self, spec: ResolvedRunSpec, parent: RunId) -> None:
        run = self._enlist(RunId(fresh_id("run")), Request(), self.run(parent).scope.turn_id)
        await self._start(run.scope, spec, parent)
        self._house.tasks.start_soon(run.go)

    async def _cancel_run(self, run_id: RunId) -> None:
        await self.run(run_id).cancel()

    async def _assistant(self, scope: Scope) -> Assistant:
        interactive = self._house.team.settings.orchestrator.interactive_mode
        rules = self._assistant_rules()
        lead = SessionLead(scope, launch=self._launch_for_turn, find=self.run, decisions=self.decisions)
        team: tuple[AnyTool, ...] = () if self.modes.team == "never" else (LaunchRun(lead), GetRun(lead))
        asking: tuple[AnyTool, ...] = () if self.modes.autonomy == "autonomous" else (RequestInput(lead.ask_person),)
        repository = (GitLog(self._house.live, rules), GitDiff(self._house.live, rules))
        return Assistant(
            model=self._house.team.assistant_model(),
            rules=rules,
            tools=(*team, *asking, *reading_tools(self._house.live, rules), *repository),
            most_steps=interactive.max_steps if self.modes.autonomy == "autonomous" else _MOST_STEPS,
        )

    def _assistant_rules(self) -> Rules:
        places = self._house.premises.folders.places
        return Rules(
            role="assistant",
            places=places,
            roots=whole_workspace(places),
            autonomy=self.modes.autonomy,
            trusted=self._house.premises.trusted,
            repository=True,
            run_approval=run_approval(self._house.team.settings),
        )

    async def _launch_for_turn(self, spec: RunSpec, scope: Scope) -> ActiveRun:
        run, _ = await self.launch(by_assistant=spec, turn_id=scope.turn_id)
        return run
