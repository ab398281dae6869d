"""Plans as text and out of text; after the vote one is proposed, a person decides, another run carries it out."""

from pydantic import ValidationError

from teamwright.engine.run.commands import ExecutePlan, ProposePlan, RequestDecision, Wanted
from teamwright.engine.run.state import Approved, Refused, Run, RunState, Verdict
from teamwright.protocol.decisions import Choice, PlanDetail
from teamwright.protocol.plans import Plan, PlanTask
from teamwright.protocol.runs import ResolvedRunSpec
from teamwright.protocol.views import PlanExecution

_CHOICES = (Choice(id="approve", label="Carry out the plan"), Choice(id="cancel", label="Keep the plan only"))


def execute_plan(state: RunState) -> Wanted | None:
    if not state.spec.planning_mode:
        return None
    plan = state.planning.plan
    if plan is None:
        proposal = _proposal(state)
        return None if proposal is None else (ProposePlan(proposal),)
    verdict = _verdict(state)
    if verdict is None:
        return () if state.is_pending("plan") else (_question(state, plan),)
    if isinstance(verdict, Refused):
        return None
    execution = state.planning.execution
    if execution is None:
        return (ExecutePlan(execution_of(state, verdict), _picked(verdict)),)
    return () if execution.outcome is None else None


def _verdict(state: RunState) -> Verdict | None:
    return Approved() if state.spec.execute_after_planning else state.planning.verdict


def _proposal(state: RunState) -> Plan | None:
    """The presenter's words, or the winner's plan as it stands."""
    if state.presentation.done is not None:
        return one_task_plan(state.presentation.done.text)
    winner = state.agents[state.winner.agent_id].latest if state.winner is not None else None
    if winner is None:
        return None
    return winner.plan or one_task_plan(winner.content)


def _question(state: RunState, plan: Plan) -> RequestDecision:
    return RequestDecision(
        detail=PlanDetail(plan=plan, path=state.planning.path),
        title=f"Carry out the plan “{plan.title}”?",
        choices=_CHOICES,
        policy="approve" if state.execute_plan == "auto" else None,
    )


_TITLE_LENGTH = 80


def plan_as_text(plan: Plan) -> str:
    lines = [f"# {plan.title}", ""]
    phase = None
    for number, task in enumerate(plan.tasks, 1):
        if task.phase is not None and task.phase != phase:
            phase = task.phase
            lines += [f"## {phase}", ""]
        lines.append(f"{number}. **{task.title}**")
        lines += [f"   {line}" for line in task.detail.splitlines()]
        if task.files:
            lines.append(f"   Files: {', '.join(task.files)}")
    return "\n".join(lines)


def one_task_plan(text: str) -> Plan:
    """For agents that describe their plan instead of submitting it."""
    first_line = next((line.strip("# ").strip() for line in text.splitlines() if line.strip("# ")), "")
    title = first_line[:_TITLE_LENGTH] or "The plan"
    return Plan(title=title, tasks=(PlanTask(id="1", title=title, detail=text.strip()),))


# What the task of a run that carries a plan out begins with.
_LEAD = "Carry out this plan for the task: "


def title_of_run(run: Run) -> str:
    """What the run is about, for people: the first line of its task, and of a plan that is carried out no more."""
    if not isinstance(run, RunState) or run.parent_run_id is None:
        return run.spec.task.strip().split("\n", 1)[0]
    return "Carry out the plan: " + run.spec.task.removeprefix(_LEAD).split("\n\n", 1)[0]


def execution_of(state: RunState, verdict: Approved) -> ResolvedRunSpec:
    """The run that carries the plan out, or the tasks of it that were picked: the same team and paths, the plan as its
    task."""
    plan, picked = _edited(state.planning.plan, verdict), _picked(verdict)
    if plan is None:
        raise ValueError("there is no plan to carry out")
    now, others = _parted(plan, picked)
    parts = [_LEAD + state.spec.task, plan_as_text(plan.model_copy(update={"tasks": now}))]
    if others:
        parts.append("These tasks of it are not yours: " + "; ".join(task.title for task in others) + ".")
    if verdict.instructions:
        parts.append(f"Further instructions: {verdict.instructions}")
    changed = {"task": "\n\n".join(parts), "planning_mode": False, "execute_after_planning": False, "call": None}
    return state.spec.model_copy(update=changed)


def plan_in_force(state: RunState) -> Plan | None:
    """As it was proposed, with what a person has changed in it."""
    verdict = state.planning.verdict
    return _edited(state.planning.plan, verdict) if isinstance(verdict, Approved) else state.planning.plan


def execution_result(state: RunState) -> PlanExecution | None:
    """What came of the plan, for whoever waits for this run."""
    execution, plan = state.planning.execution, plan_in_force(state)
    if execution is None or execution.ended is None or plan is None:
        return None
    ended = execution.ended
    return PlanExecution(
        run_id=execution.run_id,
        outcome=ended.outcome,
        text=ended.result.text if ended.result is not None else None,
        footer=ended.footer,
        written=ended.written,
        checks=ended.checks or (),
        usage=ended.usage,
        cost_usd=ended.cost_usd,
        error=ended.error,
        pending=tuple(task.title for task in _parted(plan, execution.tasks)[1]),
    )


def _parted(plan: Plan, picked: tuple[str, ...] | None) -> tuple[tuple[PlanTask, ...], tuple[PlanTask, ...]]:
    """Those that are meant, and the others."""
    if picked is None:
        return plan.tasks, ()
    now = tuple(task for task in plan.tasks if task.id in picked)
    return (now, tuple(task for task in plan.tasks if task.id not in picked)) if now else (plan.tasks, ())


def _picked(verdict: Approved) -> tuple[str, ...] | None:
    tasks = (verdict.edits or {}).get("tasks")
    return None if tasks is None else tuple(map(str, tasks))


def _edited(plan: Plan | None, verdict: Approved) -> Plan | None:
    edited = (verdict.edits or {}).get("plan")
    if edited is None:
        return plan
    try:
        return Plan.model_validate(edited)
    except ValidationError:
        # What cannot be read was refused when it was sent; here it can only come from a damaged log.
        return plan
