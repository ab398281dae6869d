"""The runs of one session: launched, approved with edits, found again, taken up after a restart."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from anyio import to_thread

from teamwright.engine.run.commands import ExecutePlan, StartRun
from teamwright.engine.run.continuing import continuation, inherited, word_to_all
from teamwright.engine.run.planning import execution_of, plan_in_force
from teamwright.engine.run.state import Approved, QueuedRun, RunState
from teamwright.permissions.actions import ApplyChangesAction, Approval, ExecutePlanAction, StartRunAction
from teamwright.permissions.judgement import judge
from teamwright.permissions.rules import Rules
from teamwright.permissions.verdicts import Ask, Deny, consent
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.commands import PlanExecuteParams
from teamwright.protocol.decisions import ChangesDecision, RunDecision
from teamwright.protocol.errors import BadParams, Conflict, FieldError, NotFound, NotPermitted, UserError
from teamwright.protocol.events import DurableEvent, RunStarted
from teamwright.protocol.ids import AgentId, AnswerId, DecisionId, ItemId, RunId, TurnId
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import Scope
from teamwright.protocol.runs import ContextPath, CoordinationOverrides, ResolvedRunSpec, RunSpec, RunSpecEdit
from teamwright.protocol.validation import parse_params
from teamwright.runtime.context.context import Context
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.journal import Journal
from teamwright.runtime.projects.keeping import SessionProject
from teamwright.runtime.runs.active_run import ActiveRun, RunSurroundings, StartFact
from teamwright.runtime.runs.candidates import take_over_candidates
from teamwright.runtime.runs.check_choice import remember_ticks, with_checks
from teamwright.runtime.runs.effects import Executions
from teamwright.runtime.runs.files import run_directory
from teamwright.runtime.runs.questions import asked, assistant_rules, estimate, run_question
from teamwright.runtime.runs.run_log import RunLog
from teamwright.runtime.runs.specification import resolved
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.decisions import ChangesEdit, Decisions
from teamwright.runtime.sessions.session_budget import SessionBudget
from teamwright.runtime.sessions.state_cell import LiveRuns
from teamwright.store.port import stream


@dataclass(frozen=True, slots=True)
class Request:
    """Who asked for a run, and for what: a person's latest words first."""

    by_user: tuple[RunSpec, ...] = ()
    by_assistant: RunSpec | None = None
    # What they have attached.
    attached: tuple[ContextPath, ...] = ()
    # Whether a person is shown what it will do, and which checks it has, before it starts.
    on_card: bool = True
    # The assistant's call that asked for it.
    call: ItemId | None = None
    # The run that it goes on with.
    continues: RunId | None = None
    # Of the findings that it has to mend: checks beside those of the project.
    reproductions: tuple[CheckDefinition, ...] = ()

    def edited(self, edit: RunSpecEdit) -> "Request":
        return replace(self, by_user=(edit, *self.by_user))


class RunRegistry:
    def __init__(
        self,
        services: Services,
        journal: Journal,
        decisions: Decisions,
        *,
        runs: LiveRuns,
        modes: Callable[[], Modes],
        context: Context,
        project: SessionProject,
        budget: SessionBudget,
    ) -> None:
        self._services = services
        self._journal = journal
        self._decisions = decisions
        self._folded = runs
        self._modes = modes
        self._context = context
        self._budget = budget
        self._around = RunSurroundings(
            services, journal, decisions, project, context, Executions(start=self._execute, cancel=self._cancel)
        )
        self._runs: dict[RunId, ActiveRun] = {}
        self._requests: dict[RunId, Request] = {}
        self._going: set[RunId] = set()
        # Up to which seq the log told of a run that this process found there.
        self._found_at: dict[RunId, int] = {}

    def run(self, run_id: RunId) -> ActiveRun:
        """Raises NotFound where the session has no such run."""
        if run_id not in self._runs:
            known = self._folded.known(run_id)
            if known is None:
                raise NotFound(f"There is no run {run_id} in this session.")
            request = _requested(known.run.spec) if isinstance(known.run, QueuedRun) else Request()
            run = self._enlist(run_id, request, known.scope.turn_id)
            self._found_at[run_id] = self._folded.last_seq
            if known.run.finished is not None:
                run.retire()
        return self._runs[run_id]

    async def steer(self, text: str, agents: tuple[AgentId, ...] | None = None) -> tuple[AgentId, ...]:
        """A person's word to all that are at work in this session; those it reaches."""
        at_work = [self.run(run_id) for run_id in self._folded.open]
        return tuple([agent for run in at_work for agent in await run.steer(text, agents)])

    def is_going(self, run_id: RunId) -> bool:
        return run_id in self._going

    @property
    def is_any_going(self) -> bool:
        return bool(self._going)

    def conduct(self, run_id: RunId) -> None:
        """To its end, in a task of its own."""
        run = self.run(run_id)
        self._going.add(run_id)
        self._services.tasks.start_soon(self._go, run)

    async def _go(self, run: ActiveRun) -> None:
        try:
            with suppress(UserError):
                # Only its own record of itself is the poorer for what cannot be read.
                await self._recall(run)
            await run.go()
        finally:
            self._going.discard(run.run_id)

    async def _recall(self, run: ActiveRun) -> None:
        """What was written before this process knew the run."""
        up_to = self._found_at.pop(run.run_id, 0)
        if up_to:
            pages = stream(self._services.store, self._journal.session_id, run_id=run.run_id)
            records = [record async for page in pages for record in page.records]
            run.recall(record for record in records if (record.seq or 0) <= up_to)

    async def check(self, request: Request) -> None:
        """Raises BadParams if such a run could not go."""
        await self._resolved(request)

    async def launch(
        self, request: Request, *, approval: Approval | None = None, turn_id: TurnId | None = None
    ) -> tuple[ActiveRun, DecisionId | None]:
        """Raises BadParams before anything is written: a run that could not go is not begun."""
        runnable = await self._resolved(request)
        question, is_left_to_person = await self._question(runnable, approval)
        if not is_left_to_person:
            request = replace(request, on_card=False)
            if runnable.checks:
                runnable = await self._resolved(request)
                question = _about(question, runnable)
        run_id = RunId(fresh_id("run"))
        run = self._enlist(run_id, request, turn_id)
        if question is None:
            await run.start(await self._beginning(run_id, runnable))
        else:
            await self._journal.append_together(asked(question, None if is_left_to_person else "approve"), run.scope)
        return run, question.decision_id if question is not None and is_left_to_person else None

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
        cost = await estimate(self._services, spec)
        start = StartRunAction(
            spec.task,
            usd=None if cost is None else cost.usd_high,
            approval=approval,
            has_money_budget=has_money_budget,
            left_usd=self._budget.left_usd,
        )
        verdict = judge(self._rules, start)
        if isinstance(verdict, Deny):
            if verdict.field is not None:
                raise BadParams([FieldError(path=verdict.field, message=verdict.reason)])
            raise NotPermitted(f"The run cannot start: {verdict.reason}.")
        is_asked = isinstance(verdict, Ask)
        if approval == "given" and not is_asked:
            return None, False
        return await run_question(self._services, spec, cost, reason=verdict.reason if is_asked else ""), is_asked

    @property
    def _rules(self) -> Rules:
        return assistant_rules(self._services, self._modes())

    async def _resolved(self, request: Request) -> ResolvedRunSpec:
        runnable = await resolved(
            self._services,
            self._modes(),
            by_user=request.by_user,
            by_assistant=request.by_assistant,
            reproductions=request.reproductions,
            attached=request.attached,
            watched=self._services.bus.is_heard(self._journal.session_id),
            on_card=request.on_card,
        )
        return runnable.model_copy(update={"call": request.call, "continues": request.continues})

    def _enlist(self, run_id: RunId, request: Request, turn_id: TurnId | None) -> ActiveRun:
        self._requests[run_id] = request
        scope = Scope(turn_id=turn_id, run_id=run_id)

        async def begin(command: StartRun) -> tuple[StartFact, ...]:
            edited = request.edited(parse_params(RunSpecEdit, command.edits)) if command.edits else request
            runnable = await self._resolved(edited)
            if edited.on_card:
                await remember_ticks(self._services, runnable)
            if command.instructions:
                context = "\n\n".join(filter(None, [runnable.context, command.instructions]))
                runnable = runnable.model_copy(update={"context": context})
            return await self._beginning(run_id, runnable)

        log = RunLog(self._journal, scope, run_id, runs=self._folded, session_budget=self._budget.reached_by_run)
        run = self._runs[run_id] = ActiveRun(log, self._around, begin=begin, history=self._context.history())
        return run

    async def _beginning(self, run_id: RunId, spec: ResolvedRunSpec) -> tuple[StartFact, ...]:
        """The facts of its start, and those that it has from the run it goes on with."""
        started = self._start(spec)
        earlier = None if spec.continues is None else self._folded.get(spec.continues)
        if not isinstance(earlier, RunState):
            return started
        state_path = self._services.state_path
        source, target = run_directory(state_path, earlier.run_id), run_directory(state_path, run_id)
        names = [
            agent.latest.candidate.change_set_id
            for agent in earlier.agents.values()
            if agent.latest is not None and agent.latest.candidate is not None
        ]
        await to_thread.run_sync(take_over_candidates, source, target, names)
        answers = sum(agent.latest is not None for agent in earlier.agents.values())
        answer_ids = tuple(AnswerId(fresh_id("ans")) for _ in range(answers))
        return (*started, *inherited(earlier, spec, answer_ids), word_to_all(earlier, spec))

    async def continued(self, run_id: RunId, instructions: str | None) -> tuple[ActiveRun, DecisionId | None]:
        """Another run that goes on with one that has ended. Raises Conflict where that one has not."""
        earlier = self._folded.get(run_id)
        if earlier is None:
            raise NotFound(f"There is no run {run_id} in this session.")
        if not isinstance(earlier, RunState):
            raise Conflict("This run never started: launch it again instead.")
        if earlier.finished is None:
            raise Conflict("This run is under way: tell its agents instead.")
        request = Request(by_user=(continuation(earlier, instructions),), continues=run_id)
        return await self.launch(request)

    def _start(
        self, spec: ResolvedRunSpec, parent: RunId | None = None, tasks: tuple[str, ...] | None = None
    ) -> tuple[DurableEvent, ...]:
        """The facts of a run's start. What it may do unasked at its end is judged here, and nowhere again."""
        started = RunStarted(
            spec=spec,
            parent_run_id=parent,
            plan_tasks=tasks,
            autonomy=self._modes().autonomy,
            apply_changes=consent(judge(self._rules, ApplyChangesAction())),
            execute_plan=consent(judge(self._rules, ExecutePlanAction())),
        )
        reached = self._budget.reached_by_run()
        return (started,) if reached is None else (started, reached)

    async def _execute(self, command: ExecutePlan, parent: RunId) -> None:
        await self._carry_out(command, parent, self.run(parent).scope.turn_id)

    async def carry_out_plan(self, params: PlanExecuteParams) -> ActiveRun:
        """Of a plan that was made before: by the word of a person, who has seen it. Raises Conflict where there is
        nothing to carry out, BadParams for a task that there is not."""
        run = self.run(params.run_id).run
        if not isinstance(run, RunState) or (plan := plan_in_force(run)) is None:
            raise Conflict("This run has made no plan.")
        if run.finished is None:
            raise Conflict("The run is still at work; the rest of its plan can be carried out once it is over.")
        known = {task.id for task in plan.tasks}
        if unknown := [task for task in params.tasks or () if task not in known]:
            raise BadParams([FieldError(path="tasks", message=f"there is no task {unknown[0]!r} in the plan")])
        verdict = run.planning.verdict
        edits = {**((verdict.edits or {}) if isinstance(verdict, Approved) else {}), "tasks": params.tasks}
        spec = execution_of(run, Approved(edits, params.instructions or ""))
        return await self._carry_out(ExecutePlan(spec, params.tasks), params.run_id, None)

    async def _carry_out(self, command: ExecutePlan, parent: RunId, turn_id: TurnId | None) -> ActiveRun:
        run = self._enlist(RunId(fresh_id("run")), Request(), turn_id)
        checked = await with_checks(self._services, command.spec, (), on_card=False)
        await run.start(self._start(checked, parent, command.tasks))
        return run

    async def _cancel(self, run_id: RunId) -> None:
        await self.run(run_id).cancel()


def _about(question: RunDecision | None, spec: ResolvedRunSpec) -> RunDecision | None:
    """A question that nobody is asked tells only what really runs."""
    if question is None:
        return None
    chosen = {check.name for check in spec.checks}
    checks = tuple(each.model_copy(update={"ticked": each.name in chosen}) for each in question.detail.checks)
    detail = question.detail.model_copy(update={"spec": spec, "checks": checks})
    return question.model_copy(update={"detail": detail})


def _requested(spec: ResolvedRunSpec) -> Request:
    """What is left of the request in the log: everything it came to, as if a person had said so."""
    reproductions = tuple(check for check in spec.checks if check.source == "reproduction")
    return Request(by_user=(_as_asked(spec),), call=spec.call, continues=spec.continues, reproductions=reproductions)


def _as_asked(spec: ResolvedRunSpec) -> RunSpec:
    fields = {name: value for name, value in dict(spec).items() if name in RunSpec.model_fields}
    rules = CoordinationOverrides.model_validate(dict(spec.coordination_overrides))
    checks = tuple(check.name for check in spec.checks)
    return RunSpec.model_validate({**fields, "coordination_overrides": rules, "checks": checks})
