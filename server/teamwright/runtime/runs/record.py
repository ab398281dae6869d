"""What a run leaves for people to read: its description, answers, votes, result, log and a footer."""

from collections.abc import Callable, Iterable, Sequence

from anyio import to_thread

from teamwright.engine.agreement import agreed_findings
from teamwright.engine.run.commands import FinishRun
from teamwright.engine.run.state import RunState
from teamwright.engine.run.view import view, whole_answers
from teamwright.prompts.agent_messages import findings_digest
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import (
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
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.ids import RunId, SessionId
from teamwright.protocol.items import ToolCall
from teamwright.protocol.records import EventRecord
from teamwright.runtime.identity import now
from teamwright.runtime.projects.keeping import SessionProject
from teamwright.runtime.runs.files import RunFiles
from teamwright.workspace.files.safe_files import Root
from teamwright.workspace.projects.projects import save_run
from teamwright.workspace.projects.run_records import LogLine, RunRecord

_NAMED_FILES = 5
_NAMED_FINDINGS = 50


class RunRecorder:
    def __init__(
        self, session_id: SessionId, run_id: RunId, project: SessionProject, notify: Callable[[str], None]
    ) -> None:
        self._session_id = session_id
        self._run_id = run_id
        self._project = project
        self._notify = notify
        self._lines: list[LogLine] = []

    def fold(self, record: EventRecord) -> None:
        if record.run_id == self._run_id and (line := _log_line(record)) is not None:
            self._lines.append(LogLine(record.at, line))

    def recall(self, records: Iterable[EventRecord]) -> None:
        """What was written before this process took the run up."""
        self._lines[:0] = [LogLine(each.at, line) for each in records if (line := _log_line(each)) is not None]

    async def file_away(
        self, run: RunState, finished: FinishRun, written: tuple[str, ...], files: RunFiles
    ) -> str | None:
        """The footer for the run's result, if there is anything to say."""
        record = self._record(run, finished, written)
        await to_thread.run_sync(save_run, Root(files.directory, private=True), (), record)
        await self._note_in_project(record)
        findings = told_findings(run, files.shown_path)
        waiting = [files.shown_path(uri) for uri in _waiting(run)]
        return _footer(written, str(files.directory / "context_path_writes.txt"), findings, waiting)

    async def _note_in_project(self, record: RunRecord) -> None:
        """A project that cannot be written to is no reason for a run to fail."""
        try:
            problems = await self._project.note(record)
        except UserError as fault:
            problems = (fault.message,)
        for problem in problems:
            self._notify(problem)

    def _record(self, run: RunState, finished: FinishRun, written: tuple[str, ...]) -> RunRecord:
        return RunRecord(
            run_id=self._run_id,
            session_id=self._session_id,
            spec=run.spec,
            started_at=run.started_at,
            finished_at=now(),
            outcome=finished.outcome,
            winner=run.winner.agent_id if run.winner is not None else None,
            usage=finished.spending.usage,
            cost_usd=finished.spending.cost_usd,
            written=written,
            answers=whole_answers(run),
            votes=view(run).votes,
            result=finished.result,
            log=tuple(self._lines),
            error=finished.error,
            execution=finished.execution,
        )


def told_findings(run: RunState, shown_path: Callable[[str], str]) -> tuple[AgreedFinding, ...]:
    """Most agreed first, their files by the paths that tools know."""
    return tuple(
        finding.model_copy(update={"uri": shown_path(finding.uri)})
        for finding in (agreed_findings(run) if run.findings else ())
    )


def _waiting(run: RunState) -> tuple[str, ...]:
    """What a policy has left for a person to look at."""
    if run.changes.settled is None:
        return ()
    settled = {file.uri for file in run.changes.settled}
    return tuple(change.uri for change in run.changes.proposed or () if change.uri not in settled)


def _footer(
    written: Sequence[str], list_path: str, findings: Sequence[AgreedFinding] = (), waiting: Sequence[str] = ()
) -> str | None:
    """The findings of a review, what was written, and what waits to be; nothing where there is none of it."""
    parts = (_found(findings), _written(written, list_path), _left(waiting))
    return "\n".join(part for part in parts if part) or None


def _left(waiting: Sequence[str]) -> str:
    if not waiting:
        return ""
    more = f" and {len(waiting) - _NAMED_FILES} more" if len(waiting) > _NAMED_FILES else ""
    named = ", ".join(waiting[:_NAMED_FILES])
    return f"Not written yet, because a person looks at such files first: {named}{more}"


def _found(findings: Sequence[AgreedFinding]) -> str:
    if not findings:
        return ""
    more = f"\nand {len(findings) - _NAMED_FINDINGS} more" if len(findings) > _NAMED_FINDINGS else ""
    return f"Findings, most agreed first:\n{findings_digest(findings[:_NAMED_FINDINGS])}{more}"


def _written(written: Sequence[str], list_path: str) -> str:
    """Up to five files by name; more are counted, with the file that lists them."""
    if not written:
        return ""
    if len(written) <= _NAMED_FILES:
        return f"Files written: {', '.join(written)}"
    return f"{len(written)} files written; {list_path} names them."


def _log_line(record: EventRecord) -> str | None:
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
        case MessageShared(sender=sender, to=to, text=text):
            return f"{'the user' if sender == 'user' else sender} to {', '.join(to) or 'the user'}: {text}"
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
