"""A run's facts as lines that a person reads in `log.md`. Pure."""

from quorate.protocol.events import (
    AgentCorrected,
    AgentStarted,
    AgentStopped,
    AnswerSubmitted,
    AnyEvent,
    BudgetReached,
    CancelRequested,
    ChangesProposed,
    ChangesSettled,
    DecisionRequested,
    DecisionResolved,
    FindingReported,
    ItemFinished,
    MessageShared,
    PlanProposed,
    RunStarted,
    TimerElapsed,
    VoteCast,
    WinnerSelected,
)
from quorate.protocol.items import ToolCall
from quorate.protocol.records import EventRecord


def log_line(record: EventRecord) -> str | None:
    """None for what only matters to programs."""
    told = _told(record.event)
    if told is None:
        return None
    return told if record.agent_id is None else f"{record.agent_id}: {told}"


def _told(event: AnyEvent) -> str | None:
    match event:
        case RunStarted(spec=spec):
            return f"started with {', '.join(spec.agents)}"
        case AgentStarted(attempt=attempt, purpose=purpose):
            return f"begins to {purpose} (attempt {attempt})"
        case AgentStopped(reason=reason, error=error):
            return f"stopped, {reason}{f': {error}' if error else ''}"
        case AgentCorrected(misstep=misstep, text=text):
            return f"corrected ({misstep.replace('_', ' ')}): {text}"
        case AnswerSubmitted(label=label):
            return f"submitted {label}"
        case VoteCast(target=target, reason=reason):
            return f"voted for {target}: {reason}"
        case WinnerSelected(agent_id=winner, by=by):
            return f"{winner} is chosen, by {by}"
        case FindingReported(finding=finding):
            return f"{finding.severity}: {finding.title} ({finding.uri}:{finding.range.start.line + 1})"
        case ItemFinished(item=ToolCall() as call):
            return f"{call.name} {call.status}{f': {call.error}' if call.error else ''}"
        case _:
            return _told_of_people(event)


def _told_of_people(event: AnyEvent) -> str | None:
    match event:
        case MessageShared(to=to, text=text):
            return f"the user to {', '.join(to)}: {text}"
        case DecisionRequested(decision=decision):
            return f"asked: {decision.title}"
        case DecisionResolved(choice=choice, by=by):
            return f"decided by {by}: {choice}"
        case CancelRequested():
            return "cancelled"
        case TimerElapsed(timer=timer):
            return f"time is up: {timer.replace('_', ' ')}"
        case BudgetReached():
            return "the budget is reached"
        case PlanProposed(plan=plan):
            return f"the plan is “{plan.title}”"
        case ChangesProposed(changes=changes):
            return f"proposes changes to {len(changes)} files"
        case ChangesSettled(settled=settled):
            return "; ".join(f"{file.uri} {file.outcome}" for file in settled) or "nothing to change"
        case _:
            return None
