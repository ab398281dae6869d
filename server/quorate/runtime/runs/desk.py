"""The runs of one session: launched, approved with edits, found again, taken up after a restart."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from quorate.engine.commands import StartRun
from quorate.engine.state import Run, RunState
from quorate.permissions.actions import LaunchRun
from quorate.permissions.judgement import judge
from quorate.permissions.verdicts import Ask, Deny
from quorate.protocol.decisions import ChangesDecision, RunDecision
from quorate.protocol.errors import BadParams, FieldError, NotFound, NotPermitted
from quorate.protocol.events import DecisionRequested, DecisionResolved, RunStarted
from quorate.protocol.ids import AgentId, DecisionId, RunId, TurnId
from quorate.protocol.modes import Modes
from quorate.protocol.records import EventRecord
from quorate.protocol.runs import CoordinationOverrides, ResolvedRunSpec, RunSpec, RunSpecEdit
from quorate.protocol.validation import parse_params
from quorate.runtime.decisions import ChangesEdit, Decisions
from quorate.runtime.house import House
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.open_items import OpenItems
from quorate.runtime.projects.keeping import SessionProject
from quorate.runtime.questions import resume_question
from quorate.runtime.runs.active_run import ActiveRun
from quorate.runtime.runs.approval import assistant_rules, estimate, run_question
from quorate.runtime.runs.interrupted import progress_of
from quorate.runtime.runs.resolving import resolved
from quorate.runtime.session_budget import SessionBudget

Approval = Literal["ask", "given"]

_UNPRICED = (
    "the price of a model is not known, so a budget of money cannot be kept; set its price, or a budget of tokens"
)


@dataclass(frozen=True, slots=True)
class Request:
    """Who asked for a run, and for what: a person's latest words first."""

    by_user: tuple[RunSpec, ...] = ()
    by_assistant: RunSpec | None = None

    def edited(self, edit: RunSpecEdit) -> "Request":
        return replace(self, by_user=(edit, *self.by_user))


class RunDesk:
    def __init__(
        self,
        house: House,
        journal: Journal,
        decisions: Decisions,
        *,
        runs: Mapping[RunId, Run],
        modes: Callable[[], Modes],
        history: Callable[[], str],
        project: SessionProject,
        budget: SessionBudget,
    ) -> None:
        self._house = house
        self._journal = journal
        self._decisions = decisions
        self._folded = runs
        self._modes = modes
        self._history = history
        self._project = project
        self._budget = budget
        self._runs: dict[RunId, ActiveRun] = {}
        self._requests: dict[RunId, Request] = {}
        self._open_items = OpenItems()

    @property
    def ids(self) -> tuple[RunId, ...]:
        return tuple(self._runs)

    def run(self, run_id: RunId) -> ActiveRun:
        if run_id not in self._runs:
            raise NotFound(f"There is no run {run_id} in this session.")
        return self._runs[run_id]

    async def steer(self, text: str) -> tuple[AgentId, ...]:
        """A person's word to all that are at work in this session; those it reaches."""
        return tuple([agent for run in self._runs.values() for agent in await run.steer(text, None)])

    async def check(self, request: Request) -> None:
        """Raises BadParams if such a run could not go."""
        await self._resolved(request)

    async def launch(
        self, request: Request, *, approval: Approval | None = None, turn_id: TurnId | None = None
    ) -> tuple[ActiveRun, DecisionId | None]:
        """Raises BadParams before anything is written: a run that could not go is not begun."""
        runnable = await self._resolved(request)
        question, is_left_to_person = await self._question(runnable, approval)
        run = self._enlist(RunId(fresh_id("run")), request, turn_id)
        if question is None:
            await self._start(run.scope, runnable)
        elif is_left_to_person:
            await self._journal.append(DecisionRequested(decision=question), run.scope)
        else:
            by_policy = DecisionResolved(decision_id=question.decision_id, choice="approve", by="policy")
            await self._journal.append_together((DecisionRequested(decision=question), by_policy), run.scope)
        self._house.tasks.start_soon(run.go)
        return run, question.decision_id if question is not None and is_left_to_person else None

    def recall(self, record: EventRecord) -> None:
        """While the log is read: a run is enlisted with its first record, before that is folded."""
        self._open_items.fold(record)
        run_id = record.run_id
        if run_id is None or run_id in self._runs:
            return
        match record.event:
            case DecisionRequested(decision=RunDecision(detail=detail)):
                self._enlist(run_id, Request(by_user=(_as_asked(detail.spec),)), record.turn_id)
            case RunStarted():
                self._enlist(run_id, Request(), record.turn_id)
            case _:
                pass

    async def take_up(self) -> None:
        """After the log was read: what waited goes on waiting, what was at work asks whether to go on.

        Nothing is set to work before all of that is on disk: who is told that it failed can try again.
        """
        left: list[ActiveRun] = []
        for run in tuple(self._runs.values()):
            if run.run is None or run.run.finished is not None:
                run.retire()
                continue
            await self._open_items.close(run.run_id, self._journal)
            await self._reopen_override(run.run)
            if run.is_interrupted:
                await self._ask_to_resume(run, run.run)
            left.append(run)
        for run in left:
            self._house.tasks.start_soon(run.go)

    async def _reopen_override(self, run: Run) -> None:
        """Its time ran out with the process that kept it; the window opens anew."""
        if isinstance(run, RunState):
            windows = [key for key, pending in run.pending.items() if pending.kind == "override"]
            for decision_id in windows:
                await self._decisions.resolve(decision_id, "cancel", by="cancelled")

    async def _ask_to_resume(self, run: ActiveRun, state: Run) -> None:
        """Recorded also where a rule answers it: the time in between was nobody's work."""
        question = resume_question("run", state.spec.task, progress_of(state))
        requested = DecisionRequested(decision=question)
        if self._house.team.settings.orchestrator.interactive_mode.resume == "auto":
            by_policy = DecisionResolved(decision_id=question.decision_id, choice="approve", by="policy")
            await self._journal.append_together((requested, by_policy), run.scope)
        else:
            await self._journal.append(requested, run.scope)

    async def check_edits(self, decision_id: DecisionId, edits: dict[str, Any] | None) -> None:
        """Raises BadParams while it can still be mended: an edit that cannot run is no approval."""
        pending = self._decisions.pending.get(decision_id)
        run_id = pending.scope.run_id if pending is not None else None
        if edits is None or pending is None or run_id is None:
            return
        if isinstance(pending.decision, ChangesDecision):
            await self.run(run_id).changes.check(parse_params(ChangesEdit, edits).files)
        if isinstance(pending.decision, RunDecision) and run_id in self._requests:
            await self._resolved(self._requests[run_id].edited(parse_params(RunSpecEdit, edits)))

    async def _question(self, spec: ResolvedRunSpec, approval: Approval | None) -> tuple[RunDecision | None, bool]:
        """What is to be decided before the run starts, and whether by a person; nothing where one has decided already.

        Raises NotPermitted and BadParams where a person would have to decide and nobody is asked.
        """
        has_money_budget = spec.budget is not None and spec.budget.usd is not None
        if approval == "given" and not has_money_budget:
            return None, False
        cost = await estimate(self._house, spec)
        if approval == "given" and cost is not None:
            return None, False
        is_asked = self._modes().autonomy != "autonomous"
        reason = _UNPRICED if has_money_budget and cost is None else ""
        if reason and not is_asked:
            raise BadParams([FieldError(path="budget.usd", message=reason)])
        left = self._budget.left_usd
        if is_asked and cost is not None and left is not None and cost.usd_high > left:
            reason = f"it may cost more than the ${left:.2f} that are left of the session's budget"
        rules = assistant_rules(self._house, self._modes())
        verdict = judge(rules, LaunchRun(spec.task, usd=None if cost is None else cost.usd_high))
        if isinstance(verdict, Deny):
            raise NotPermitted(f"The run cannot start: {verdict.reason}.")
        is_left_to_person = approval == "ask" or bool(reason) or isinstance(verdict, Ask)
        return await run_question(self._house, spec, reason=reason), is_left_to_person

    async def _resolved(self, request: Request) -> ResolvedRunSpec:
        return await resolved(
            self._house,
            self._modes(),
            by_user=request.by_user,
            by_assistant=request.by_assistant,
            watched=self._house.bus.is_heard(self._journal.session_id),
        )

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
            self._decisions,
            run_id=run_id,
            runs=self._folded,
            scope=scope,
            start=start,
            execute=self._execute,
            cancel_run=self._cancel,
            history=self._history(),
            project=self._project,
            budget=self._budget,
        )
        self._runs[run_id] = run
        return run

    async def _start(self, scope: Scope, spec: ResolvedRunSpec, parent: RunId | None = None) -> None:
        started = RunStarted(
            spec=spec,
            parent_run_id=parent,
            autonomy=self._modes().autonomy,
            apply_changes=self._house.team.settings.orchestrator.interactive_mode.apply_changes,
        )
        reached = self._budget.reached_by_run()
        await self._journal.append_together((started,) if reached is None else (started, reached), scope)

    async def _execute(self, spec: ResolvedRunSpec, parent: RunId) -> None:
        run = self._enlist(RunId(fresh_id("run")), Request(), self.run(parent).scope.turn_id)
        await self._start(run.scope, spec, parent)
        self._house.tasks.start_soon(run.go)

    async def _cancel(self, run_id: RunId) -> None:
        await self.run(run_id).cancel()


def _as_asked(spec: ResolvedRunSpec) -> RunSpec:
    """What is left of the request in the log: everything it came to, as if a person had said so."""
    fields = {name: value for name, value in dict(spec).items() if name in RunSpec.model_fields}
    rules = CoordinationOverrides.model_validate(dict(spec.coordination_overrides))
    return RunSpec.model_validate({**fields, "coordination_overrides": rules})
