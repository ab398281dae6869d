"""Plans as text and out of text; after the vote one is proposed, a person decides, another run carries it out."""

from pydantic import ValidationError

from teamwright.engine.run.commands import ExecutePlan, ProposePlan, RequestDecision, Wanted
from teamwright.engine.run.state import Approved, Refused, Run, RunState, Verdict
from teamwright.protocol.decisions import Choice, PlanDetail
from teamwright.protocol.plans import Plan, PlanTask
from teamwright.protocol.runs import ResolvedRunSpec

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
        return (ExecutePlan(execution_of(state, plan, verdict)),)
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


def execution_of(state: RunState, plan: Plan, verdict: Approved) -> ResolvedRunSpec:
    """The run that carries a plan out: the same team and paths, the plan as its task."""
    parts = [_LEAD + state.spec.task, plan_as_text(_edited(plan, verdict))]
    if verdict.instructions:
        parts.append(f"Further instructions: {verdict.instructions}")
    changed = {"task": "\n\n".join(parts), "planning_mode": False, "execute_after_planning": False, "call": None}
    return state.spec.model_copy(update=changed)


def _edited(plan: Plan, verdict: Approved) -> Plan:
    edited = (verdict.edits or {}).get("plan")
    if edited is None:
        return plan
    try:
        return Plan.model_validate(edited)
    except ValidationError:
        # What cannot be read was refused when it was sent; here it can only come from a damaged log.
        return plan
