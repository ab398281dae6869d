"""What an MCP client is told, in words that a model can pass on to its user. Pure."""

import json
from typing import assert_never

from teamwright.engine.transcript.carried_out import carried_out
from teamwright.protocol.commands import RunOpenResult
from teamwright.protocol.decisions import (
    BudgetDecision,
    ChangesDecision,
    CommandDecision,
    Decision,
    InputDecision,
    MemoryDecision,
    OverrideDecision,
    PlanDecision,
    ResumeDecision,
    RunDecision,
    RunDetail,
    ToolDecision,
)
from teamwright.protocol.views import RunView

_MOST_OF_A_DIFF = 8_000
_MOST_OF_A_TASK = 120


def described(decision: Decision) -> str:
    how = (
        f'answer it with `respond` and {{"decision_id": "{decision.decision_id}", "text": …}}.'
        if isinstance(decision, InputDecision)
        else f'decide with `respond` and {{"decision_id": "{decision.decision_id}", "choice": "approve" or "cancel"}}.'
    )
    return f"{decision.title}\n\n{_detail(decision)}\n\nNothing happens before the user decides: ask them, then {how}"


def _detail(decision: Decision) -> str:
    match decision:
        case RunDecision(detail=detail):
            spec, estimate = detail.spec, detail.estimate
            cost = "not known" if estimate is None else f"${estimate.usd_low:.2f} to ${estimate.usd_high:.2f}"
            files = "\n".join(f"- {each.path} ({each.permission}, {each.count} files)" for each in detail.files)
            mode = f"{spec.agent_mode}, with refinement" if spec.refinement else spec.agent_mode
            return (
                f"Task: {spec.task}\nAgents: {', '.join(spec.agents)} ({mode})\nEstimated cost: {cost}\n"
                f"Files:\n{files or '- none'}\n{_writing(detail)}Why it is asked about: {detail.reason}"
            )
        case PlanDecision(detail=detail):
            tasks = "\n".join(f"{task.id}. {task.title}: {task.detail}" for task in detail.plan.tasks)
            some = 'To carry out only some of them now, add {"edits": {"tasks": [their ids]}}.'
            return f"{detail.plan.title}\n{tasks}\n{some}"
        case ChangesDecision(detail=detail):
            return "\n".join(change.diff for change in detail.changes)[:_MOST_OF_A_DIFF]
        case InputDecision(detail=detail):
            return "\n".join([detail.question, *(f"- {choice}" for choice in detail.choices)])
        case OverrideDecision(detail=detail):
            return "\n\n".join(f"{answer.agent_id}:\n{answer.content}" for answer in detail.answers)
        case BudgetDecision() | CommandDecision() | ToolDecision() | MemoryDecision() | ResumeDecision():
            return json.dumps(decision.detail.to_wire(), indent=2)
        case _:
            assert_never(decision)


def _writing(detail: RunDetail) -> str:
    if detail.writing is None:
        return ""
    edits = json.dumps({"edits": {"context_paths": [path.to_wire() for path in detail.writing]}})
    return f"It changes no files; where the user wants it to, add {edits}.\n"


def progress(view: RunView) -> str:
    answered = sum(agent.answers > 0 for agent in view.agents)
    voted = sum(vote.counts for vote in view.votes)
    return f"{view.phase}: {answered} of {len(view.agents)} have answered, {voted} have voted"


def run_text(opened: RunOpenResult) -> str:
    run = opened.run
    head = f"Run {run.run_id}: {run.outcome or run.phase}."
    cost = "" if run.cost_usd is None else f" Cost: ${run.cost_usd:.4f}."
    written = f"\nFiles written: {', '.join(run.written)}" if run.written else ""
    text = opened.result.text if opened.result is not None else ""
    if opened.execution is not None:
        came_of_it = carried_out(opened.execution, run.usage, run.cost_usd)
        text = f"{text}\n\nWhat came of the plan:\n\n{came_of_it}".strip()
    result = f"\n\n{text}" if text else ""
    trouble = "".join(f"\n{agent.agent_id}: {agent.note}" for agent in run.agents if agent.note)
    return f"{head}{cost}{written}{trouble}{result}"


def run_line(run: RunView) -> str:
    task = " ".join(run.task.split())[:_MOST_OF_A_TASK]
    return f"- {run.run_id} ({run.outcome or run.phase}, {run.started_at:%Y-%m-%d %H:%M}): {task}"
