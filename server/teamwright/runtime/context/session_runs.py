"""The runs of a session as far as the assistant must know of them between its own calls, and reports on them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from teamwright.engine.run.state import QueuedRun, Run
from teamwright.engine.run.view import view, whole_answers
from teamwright.prompts.assistant.notes import run_note, run_stub, settled_note
from teamwright.prompts.assistant.run_report import ReportedRun
from teamwright.protocol.events import ChangesProposed, ChangesSettled, RunFinished, RunStarted
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.ids import RunId
from teamwright.protocol.records import EventRecord

# How tools name the file of a URI.
PathOf: TypeAlias = Callable[[str], str]


@dataclass(slots=True)
class KnownRun:
    run_id: RunId
    task: str
    by_assistant: bool
    finished: RunFinished | None = None
    pending: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunNews:
    text: str
    stub: str = ""


class SessionRuns:
    def __init__(self, path_of: PathOf) -> None:
        self._path_of = path_of
        self._runs: dict[RunId, KnownRun] = {}

    def fold(self, record: EventRecord) -> RunNews | None:
        """What the assistant is to be told of it: its own runs it hears of by the result of its call."""
        run_id = record.run_id
        if run_id is None:
            return None
        if isinstance(record.event, RunStarted):
            self._runs[run_id] = KnownRun(run_id, record.event.spec.task, record.turn_id is not None)
            return None
        run = self._runs.get(run_id)
        match record.event:
            case RunFinished() as finished:
                return self._finish(run or KnownRun(run_id, "", record.turn_id is not None), finished)
            case ChangesProposed(changes=changes) if run is not None:
                run.pending = tuple(self._path_of(change.uri) for change in changes)
            case ChangesSettled(settled=settled) if run is not None:
                files = [file.model_copy(update={"uri": self._path_of(file.uri)}) for file in settled]
                run.pending = tuple(path for path in run.pending if path not in {file.uri for file in files})
                return RunNews(settled_note(run_id, files)) if run.finished is not None and files else None
            case _:
                pass
        return None

    def _finish(self, run: KnownRun, finished: RunFinished) -> RunNews | None:
        # A run that was refused never started, yet ends.
        self._runs[run.run_id] = run
        run.finished = finished
        if run.by_assistant:
            return None
        return RunNews(run_note(run.run_id, run.task, finished), run_stub(run.run_id, run.task, finished))

    def finished(self, run_id: RunId) -> RunFinished | None:
        run = self._runs.get(run_id)
        return None if run is None else run.finished

    def at_work(self) -> Iterator[KnownRun]:
        return (run for run in self._runs.values() if run.finished is None)

    def ended(self) -> Iterator[tuple[KnownRun, RunFinished]]:
        return ((run, run.finished) for run in self._runs.values() if run.finished is not None)

    def with_pending_changes(self) -> Iterator[KnownRun]:
        return (run for run, _ in self.ended() if run.pending)


def reported(run: Run, finished: RunFinished | None, findings: Sequence[AgreedFinding], path_of: PathOf) -> ReportedRun:
    if isinstance(run, QueuedRun):
        return ReportedRun(view(run), finished)
    changes = run.changes
    return ReportedRun(
        view=view(run),
        finished=finished,
        answers=whole_answers(run),
        findings=tuple(finding.model_copy(update={"uri": path_of(finding.uri)}) for finding in findings),
        proposed=tuple(change.model_copy(update={"uri": path_of(change.uri)}) for change in changes.proposed or ()),
        settled=tuple(file.model_copy(update={"uri": path_of(file.uri)}) for file in changes.settled or ()),
        plan_path=run.planning.path or None,
    )
