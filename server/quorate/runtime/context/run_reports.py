"""A run's state in the words of the protocol, as the report on it takes them. Pure."""

from collections.abc import Sequence

from quorate.engine.state import QueuedRun, Run
from quorate.engine.view import view, whole_answers
from quorate.prompts.assistant.run_report import ReportedRun
from quorate.protocol.events import RunFinished
from quorate.protocol.findings import AgreedFinding
from quorate.runtime.context.session_runs import PathOf


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
