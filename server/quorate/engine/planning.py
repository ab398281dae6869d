"""After the vote on plans: the plan is proposed, a person decides, another run carries it out."""

from quorate.engine.commands import ExecutePlan, ProposePlan, RequestDecision, Wanted
from quorate.engine.plans import execution_of, one_task_plan
from quorate.engine.state import Approved, Refused, RunState, Verdict
from quorate.protocol.decisions import Choice, PlanDetail
from quorate.protocol.plans import Plan

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
        policy="approve" if state.autonomy == "autonomous" else None,
    )
