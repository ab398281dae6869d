"""The list of big work, ticked as runs begin and end. Pure.

What was said of a task last holds until its run says more: a run that begins takes its task up, and a run that ends
settles a task that was at work for it; what a person or the assistant has changed since stays as they left it.
"""

from collections.abc import Mapping
from typing import Final

from teamwright.engine.run.checking import final_keys
from teamwright.engine.run.evidence import views
from teamwright.engine.run.state import RunState
from teamwright.engine.session.state import SessionState
from teamwright.protocol.plans import ListedTask, TaskEdit, TaskList, TaskState
from teamwright.protocol.views import RunOutcome

OPEN: Final = frozenset[TaskState]({"pending", "running"})
_ENDS: Final[Mapping[RunOutcome, TaskState]] = {
    "completed": "done",
    "failed": "failed",
    "timed_out": "failed",
    # Who stops a run has not given the task up.
    "cancelled": "pending",
}


def current_tasks(state: SessionState) -> TaskList:
    """As they stand by now, whatever the log's last word about them is."""
    if not any(task.state in OPEN for task in state.tasks):
        return state.tasks
    latest = {
        run.spec.task_id: run
        for run in state.runs.all()
        if isinstance(run, RunState) and run.spec.task_id is not None and run.parent_run_id is None
    }
    return tuple(_ticked(task, latest.get(task.id)) for task in state.tasks)


def numbered(edits: tuple[TaskEdit, ...]) -> TaskList:
    """With ids for those that have none, which no other has; of two with one id the second gets another."""
    taken = {edit.id for edit in edits if edit.id is not None}
    used = set[str]()
    tasks: list[ListedTask] = []
    for edit in edits:
        task_id = edit.id
        if task_id is None or task_id in used:
            task_id = next(name for number in range(1, len(edits) * 2 + 2) if (name := str(number)) not in taken | used)
        used.add(task_id)
        tasks.append(ListedTask.model_validate({**dict(edit), "id": task_id}))
    return tuple(tasks)


def _ticked(task: ListedTask, run: RunState | None) -> ListedTask:
    if run is None or task.state not in OPEN:
        return task
    is_new = task.run_id != run.run_id
    if run.finished is None:
        return task.model_copy(update={"state": "running", "run_id": run.run_id}) if is_new else task
    if is_new or task.state == "running":
        return task.model_copy(update={"state": _end_of(run, run.finished.outcome), "run_id": run.run_id})
    return task


def _end_of(run: RunState, outcome: RunOutcome) -> TaskState:
    """What breaks the project's checks is not done, whatever its agents say."""
    checks = views(run, final_keys(run)) if outcome == "completed" else ()
    return "failed" if any(check.broke for check in checks) else _ENDS[outcome]
