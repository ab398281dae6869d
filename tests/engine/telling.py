"""Commands in words, for whole comparisons that read well."""

from collections.abc import Iterable
from datetime import UTC, datetime

from teamwright.engine.run.commands import (
    ArmTimer,
    CancelExecution,
    Command,
    CompareCheck,
    Deliberate,
    ExecutePlan,
    FinishRun,
    Present,
    ProposeChanges,
    ProposePlan,
    RequestDecision,
    RunCheck,
    SelectWinner,
    SettleChanges,
    StartRun,
    StopAgent,
    WithdrawDecision,
    Work,
)
from teamwright.protocol.checks import CheckSubject

START = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)


def told(commands: Iterable[Command]) -> list[str]:
    return [_told(command) for command in commands if not isinstance(command, ArmTimer | RunCheck | CompareCheck)]


def told_checks(commands: Iterable[Command]) -> list[str]:
    return [_check(command) for command in commands if isinstance(command, RunCheck | CompareCheck)]


def told_timers(commands: Iterable[Command]) -> list[str]:
    return [_timer(command) for command in commands if isinstance(command, ArmTimer)]


def _told(command: Command) -> str:
    match command:
        case Deliberate() | Present():
            return _work(command)
        case StopAgent(agent_id=agent, attempt=attempt, reason=reason):
            return f"stop {agent}#{attempt}: {reason}"
        case SelectWinner(agent_id=agent, tally=tally, by=by):
            votes = " ".join(f"{name}={count}" for name, count in tally.items())
            return f"select {agent} by {by}: {votes or 'no votes'}"
        case RequestDecision(detail=detail, expires_after=seconds, policy=policy):
            how = f" for {seconds:g} s" if seconds else " and take it" if policy else ""
            return f"ask {type(detail).__name__.removesuffix('Detail').lower()}{how}"
        case WithdrawDecision(decision_id=decision_id):
            return f"withdraw {decision_id}"
        case FinishRun(outcome=outcome, result=result):
            what = "nothing" if result is None else f"{result.text!r} of {result.agent_id} ({result.strategy})"
            return f"finish {outcome}: {what}"
        case StartRun() | ArmTimer() | RunCheck() | CompareCheck():
            return type(command).__name__
        case _:
            return _told_outcome(command)


def _told_outcome(command: ProposePlan | ExecutePlan | CancelExecution | ProposeChanges | SettleChanges) -> str:
    match command:
        case ProposePlan(plan=plan):
            return f"propose plan: {plan.title}"
        case ExecutePlan():
            return "execute the plan"
        case CancelExecution(run_id=run_id):
            return f"cancel {run_id}"
        case ProposeChanges(agent_id=agent, partial=partial, change_set_id=change_set_id):
            which = f": {change_set_id}" if change_set_id is not None else ""
            return f"propose {'partial ' if partial else ''}changes of {agent}{which}"
        case SettleChanges(approved=approved, files=files):
            chosen = "all" if files is None else " ".join(file.uri for file in files)
            return f"apply {chosen}" if approved else "discard changes"


def _work(work: Work) -> str:
    what = f"presents ({work.strategy})" if isinstance(work, Present) else work.stage.replace("_", " ")
    marks = [
        *([" ".join(work.tools)] if work.tools else []),
        *([f"shown {work.show.answers}+{work.show.messages}"] if work.show.answers or work.show.messages else []),
        *([work.pressure] if work.pressure != "none" else []),
        *(["writes"] if work.writes else []),
        *(["on hold"] if work.on_hold else []),
        *([f"from {work.start_from}"] if work.start_from is not None else []),
        *(["repairs"] if isinstance(work, Present) and work.repairs else []),
    ]
    return f"{work.agent_id}#{work.attempt} {what}" + (f" [{', '.join(marks)}]" if marks else "")


def _check(command: RunCheck | CompareCheck) -> str:
    verb = "run" if isinstance(command, RunCheck) else "compare"
    which = f" ({command.change_set_id})" if command.change_set_id is not None else ""
    return f"{verb} {command.name} on {_subject(command.of)}{which}"


def _subject(of: CheckSubject) -> str:
    return of if isinstance(of, str) else of.answer_id


def _timer(timer: ArmTimer) -> str:
    whose = f" {timer.agent_id}#{timer.attempt}" if timer.agent_id is not None else ""
    whose += f" of {_subject(timer.of)}" if timer.of is not None else ""
    return f"{timer.timer}{whose} at {(timer.due_at - START).total_seconds():g}"
