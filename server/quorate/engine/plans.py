"""Plans as text, and text as a plan."""

from pydantic import ValidationError

from quorate.engine.state import Approved, RunState
from quorate.protocol.plans import Plan, PlanTask
from quorate.protocol.runs import ResolvedRunSpec

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


def execution_of(state: RunState, plan: Plan, verdict: Approved) -> ResolvedRunSpec:
    """The run that carries a plan out: the same team and paths, the plan as its task."""
    parts = [f"Carry out this plan for the task: {state.spec.task}", plan_as_text(_edited(plan, verdict))]
    if verdict.instructions:
        parts.append(f"Further instructions: {verdict.instructions}")
    changed = {"task": "\n\n".join(parts), "planning_mode": False, "execute_after_planning": False}
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
