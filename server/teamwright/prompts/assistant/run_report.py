"""What the assistant gets back from a run: enough to judge it, bounded whatever the agents wrote."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from teamwright.prompts.assistant.quoting import excerpt, one_line, quoted
from teamwright.protocol.changes import Change, SettledFile
from teamwright.protocol.checks import CheckView
from teamwright.protocol.events import RunFinished
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import Answer, RunOutcome, RunView, VoteView

LONGEST_RESULT: Final = 16_000
LONGEST_ANSWERS: Final = 16_000
_LEAST_OF_AN_ANSWER: Final = 500
_MOST_LISTED: Final = 50
_LONGEST_LINE: Final = 400


@dataclass(frozen=True, slots=True)
class ReportedRun:
    """A run at its end, or as it stands. Changes and findings name files by the paths that tools use, not by URIs."""

    view: RunView
    finished: RunFinished | None = None
    answers: tuple[Answer, ...] = ()
    findings: tuple[AgreedFinding, ...] = ()
    proposed: tuple[Change, ...] = ()
    settled: tuple[SettledFile, ...] = ()
    plan_path: str | None = None


def run_report(run: ReportedRun) -> str:
    return "\n\n".join(section for section in _sections(run) if section)


def _sections(run: ReportedRun) -> Iterator[str]:
    yield _head(run)
    yield _result(run.finished)
    yield _execution(run.finished)
    yield _answers(run)
    yield _listed("Votes", [_vote(vote) for vote in run.view.votes])
    yield _listed("Findings", [_finding(finding) for finding in run.findings if not finding.dismissed])
    yield _changes(run)
    yield _listed("Checks of what was proposed", [_check(check) for check in run.view.checks.final])
    yield _listed(
        "Trouble",
        [f"{agent.agent_id}: {one_line(agent.note, _LONGEST_LINE)}" for agent in run.view.agents if agent.note],
    )


_MEANING: Final[dict[RunOutcome, str]] = {
    "completed": "completed",
    "timed_out": "timed out; what follows is the best so far",
    "cancelled": "cancelled; what follows is what there was",
    "failed": "failed",
}


def _head(run: ReportedRun) -> str:
    view, finished = run.view, run.finished
    standing = f"under way ({view.phase})" if finished is None else _MEANING[finished.outcome]
    lines = [f"Run {view.run_id}: {standing}.", f"Task: {one_line(view.task, _LONGEST_LINE)}"]
    if finished is not None and finished.error:
        lines.append(f"Error: {one_line(finished.error, _LONGEST_LINE)}")
    if view.winner is not None:
        lines.append(f"Chosen: {view.winner}.")
    if run.plan_path is not None:
        lines.append(f"The plan is kept in {run.plan_path}.")
    usage = view.usage if finished is None else finished.usage
    lines.append(_cost(usage, view.cost_usd if finished is None else finished.cost_usd))
    return "\n".join(lines)


def _cost(usage: Usage, cost_usd: float | None) -> str:
    cost = "not known" if cost_usd is None else f"${cost_usd:.4f}"
    return f"Cost: {cost}; {usage.input_tokens + usage.output_tokens} tokens in {usage.calls} calls."


def _result(finished: RunFinished | None) -> str:
    if finished is None:
        return ""
    if finished.result is None:
        return "# Result\nThere is none."
    text = excerpt(finished.result.text.strip(), LONGEST_RESULT)
    footer = f"\n{finished.footer}" if finished.footer else ""
    return f"# Result\n{quoted('result', text, by=finished.result.agent_id, how=finished.result.strategy)}{footer}"


def _execution(finished: RunFinished | None) -> str:
    """What became of the plan that is the result."""
    execution = None if finished is None else finished.execution
    if execution is None:
        return ""
    lines = [
        f"# Carrying out the plan: {_MEANING[execution.outcome]}",
        f"Run {execution.run_id}.",
        f"Error: {one_line(execution.error, _LONGEST_LINE)}" if execution.error else "",
        quoted("result", excerpt(execution.text.strip(), LONGEST_RESULT)) if execution.text else "There is no result.",
        execution.footer or "",
        _listed("Its files", list(execution.written)),
        _listed("Its checks", [_check(check) for check in execution.checks]),
        _listed("Tasks of the plan that were left for later", list(execution.pending)),
        _cost(execution.usage, execution.cost_usd),
    ]
    return "\n".join(line for line in lines if line)


def _check(check: CheckView) -> str:
    tests = f", {check.tests.passed} passed and {check.tests.failed} failed" if check.tests is not None else ""
    broke = f", {check.broke} of them passed before" if check.broke else ""
    return f"{check.name}: {check.outcome}{tests}{broke}"


def _answers(run: ReportedRun) -> str:
    """The latest of each agent; what they wrote before it is only counted."""
    latest = {answer.agent_id: answer for answer in run.answers}
    if len(latest) < 2 and run.finished is not None and run.finished.result is not None:
        return ""
    share = max(_LEAST_OF_AN_ANSWER, LONGEST_ANSWERS // max(1, len(latest)))
    result = run.finished.result.text.strip() if run.finished is not None and run.finished.result is not None else None
    shown = [_answer(answer, share, result) for answer in list(latest.values())[:_MOST_LISTED]]
    return "\n".join([f"# Answers ({len(run.answers)} in all, the latest of each agent)", *shown]) if shown else ""


def _answer(answer: Answer, limit: int, result: str | None) -> str:
    text = answer.content.strip()
    shown = "The same as the result." if text == result else excerpt(text, limit)
    return quoted("answer", shown, label=answer.label, by=answer.agent_id)


def _vote(vote: VoteView) -> str:
    void = "" if vote.counts else " (no longer counts)"
    return f"{vote.agent_id} for {vote.target}{void}: {one_line(vote.reason, _LONGEST_LINE)}"


def _finding(finding: AgreedFinding) -> str:
    place = f"{finding.uri}:{finding.range.start.line + 1}"
    detail = one_line(f"{finding.title}: {finding.detail}", _LONGEST_LINE)
    return f"[{finding.finding_id}] {finding.severity} {place} ({finding.standing}) {detail}"


def _changes(run: ReportedRun) -> str:
    settled = [
        f"{file.uri}: {file.outcome}" + (f" ({one_line(file.reason, _LONGEST_LINE)})" if file.reason else "")
        for file in run.settled
    ]
    known = {file.uri for file in run.settled}
    pending = [f"{change.uri}: pending, {change.kind}" for change in run.proposed if change.uri not in known]
    return _listed("Changes", settled + pending)


def _listed(title: str, lines: list[str]) -> str:
    if not lines:
        return ""
    more = [f"and {len(lines) - _MOST_LISTED} more"] if len(lines) > _MOST_LISTED else []
    return "\n".join([f"# {title}", *(f"- {line}" for line in [*lines[:_MOST_LISTED], *more])])
