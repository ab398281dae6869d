"""What a run leaves on disk for people to read: its description, answers, votes, result and log."""

from collections.abc import Callable

from anyio import to_thread

from quorate.engine.commands import FinishRun
from quorate.engine.state import RunState
from quorate.engine.view import view, whole_answers
from quorate.protocol.errors import UserError
from quorate.protocol.ids import RunId, SessionId
from quorate.protocol.records import EventRecord
from quorate.runtime.identity import now
from quorate.runtime.projects.keeping import SessionProject
from quorate.runtime.runs.log_lines import log_line
from quorate.runtime.runs.reports import footer_of, told_findings
from quorate.runtime.runs.run_files import RunFiles
from quorate.workspace.projects import save_run
from quorate.workspace.run_records import LogLine, RunRecord
from quorate.workspace.safe_files import Root


class Filing:
    def __init__(
        self, session_id: SessionId, run_id: RunId, project: SessionProject, notify: Callable[[str], None]
    ) -> None:
        self._session_id = session_id
        self._run_id = run_id
        self._project = project
        self._notify = notify
        self._lines: list[LogLine] = []

    def fold(self, record: EventRecord) -> None:
        if record.run_id == self._run_id and (line := log_line(record)) is not None:
            self._lines.append(LogLine(record.at, line))

    async def file_away(
        self, run: RunState, finished: FinishRun, written: tuple[str, ...], files: RunFiles
    ) -> str | None:
        """The footer for the run's result, if there is anything to say."""
        record = self._record(run, finished, written)
        await to_thread.run_sync(save_run, Root(files.directory), (), record)
        await self._note_in_project(record)
        findings = told_findings(run, files.shown_path)
        return footer_of(written, str(files.directory / "context_path_writes.txt"), findings)

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
        )
