"""A session: one log, its turns, its runs, and what waits for a person."""

from typing import Any, Literal

from quorate.engine.commands import StartRun
from quorate.permissions.rules import AlwaysAsk, AskAbove, NeverAsk
from quorate.protocol.decisions import Resolution, RunDecision
from quorate.protocol.errors import NotFound
from quorate.protocol.events import DecisionRequested, RunStarted, SessionCreated
from quorate.protocol.ids import DecisionId, RunId, SessionId
from quorate.protocol.modes import Modes
from quorate.protocol.runs import ResolvedRunSpec, RunSpec, RunSpecEdit
from quorate.protocol.validation import parse_params
from quorate.protocol.views import SessionSummary
from quorate.runtime.decisions import Decisions
from quorate.runtime.house import House
from quorate.runtime.identity import fresh_id, now
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.runs.active_run import ActiveRun
from quorate.runtime.runs.approval import estimate, run_question
from quorate.runtime.runs.defaults import run_approval
from quorate.runtime.runs.resolving import resolved
from quorate.runtime.transcript import Transcript
from quorate.runtime.turns import Turns

Approval = Literal["ask", "given"]

_TITLE_LENGTH = 60
_RESULTS_SHOWN = 3


class Session:
    def __init__(self, house: House, session_id: SessionId) -> None:
        self.session_id = session_id
        self._house = house
        self._journal = Journal(session_id, house.store, house.bus)
        self._transcript = Transcript()
        self.decisions = Decisions(self._journal)
        self._journal.fold_into(self._transcript.fold)
        self._journal.fold_into(self.decisions.fold)
        self.turns = Turns(house, self._journal, self._transcript)
        self.runs: dict[RunId, ActiveRun] = {}
        self._specs: dict[RunId, RunSpec] = {}
        self.modes = Modes(autonomy=house.team.settings.orchestrator.interactive_mode.autonomy)

    async def create(self, about: str) -> None:
        at = now()
        title = " ".join(about.split())[:_TITLE_LENGTH]
        summary = SessionSummary(
            session_id=self.session_id, title=title, created_at=at, updated_at=at, modes=self.modes
        )
        await self._journal.append(SessionCreated(session=summary), Scope())

    async def launch(self, spec: RunSpec, *, approval: Approval | None = None) -> tuple[RunId, DecisionId | None]:
        """Raises BadParams before anything is written: a run that could not go is not begun."""
        runnable = await self._resolved(spec)
        run_id = RunId(fresh_id("run"))
        run = self._enlist(run_id, spec)
        question = await run_question(self._house, runnable) if await self._must_ask(runnable, approval) else None
        if question is None:
            await self._start(run_id, runnable)
        else:
            await self._journal.append(DecisionRequested(decision=question), Scope(run_id=run_id))
        self._house.tasks.start_soon(run.go)
        return run_id, None if question is None else question.decision_id

    async def approve(
        self, decision_id: DecisionId, choice: str, edits: dict[str, Any] | None, instructions: str | None
    ) -> Resolution:
        pending = self.decisions.pending.get(decision_id)
        if pending is not None and isinstance(pending.decision, RunDecision) and edits is not None:
            # Said now, while it can still be mended: an edit that cannot run is no approval.
            await self._resolved(parse_params(RunSpecEdit, edits), self._asked_for(pending.scope.run_id))
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

    async def _resolved(self, *by_user: RunSpec) -> ResolvedRunSpec:
        watched = self._house.bus.is_heard(self.session_id)
        return await resolved(self._house, self.modes, by_user=by_user, watched=watched)

    def _asked_for(self, run_id: RunId | None) -> RunSpec:
        if run_id is None or run_id not in self._specs:
            raise NotFound("There is no such run in this session.")
        return self._specs[run_id]

    def _enlist(self, run_id: RunId, spec: RunSpec) -> ActiveRun:
        self._specs[run_id] = spec

        async def start(command: StartRun) -> None:
            edit = [parse_params(RunSpecEdit, command.edits)] if command.edits else []
            runnable = await self._resolved(*edit, spec)
            if command.instructions:
                context = "\n\n".join(filter(None, [runnable.context, command.instructions]))
                runnable = runnable.model_copy(update={"context": context})
            await self._start(run_id, runnable)

        run = ActiveRun(
            self._house,
            self._journal,
            self.decisions,
            run_id=run_id,
            scope=Scope(run_id=run_id),
            start=start,
            execute=self._execute,
            cancel_run=self._cancel_run,
            history="\n\n".join(self._transcript.run_results[-_RESULTS_SHOWN:]),
        )
        self.runs[run_id] = run
        return run

    async def _start(self, run_id: RunId, spec: ResolvedRunSpec, parent: RunId | None = None) -> None:
        started = RunStarted(
            spec=spec,
            parent_run_id=parent,
            autonomy=self.modes.autonomy,
            apply_changes=self._house.team.settings.orchestrator.interactive_mode.apply_changes,
        )
        await self._journal.append(started, Scope(run_id=run_id))

    async def _execute(self, spec: ResolvedRunSpec, parent: RunId) -> None:
        run_id = RunId(fresh_id("run"))
        run = self._enlist(run_id, RunSpec(task=spec.task))
        await self._start(run_id, spec, parent)
        self._house.tasks.start_soon(run.go)

    async def _cancel_run(self, run_id: RunId) -> None:
        await self.run(run_id).cancel()
