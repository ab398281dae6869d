"""The list of big work of one session: written by the assistant and by persons, ticked as runs begin and end."""

from teamwright.engine.session.tasks import current_tasks, numbered
from teamwright.protocol.events import TasksUpdated
from teamwright.protocol.plans import TaskEdit, TaskList
from teamwright.protocol.records import Scope
from teamwright.runtime.journal import Journal
from teamwright.runtime.sessions.state_cell import SessionStateCell

_BY_NO_TURN = Scope()


class SessionTasks:
    def __init__(self, journal: Journal, cell: SessionStateCell, scope: Scope = _BY_NO_TURN) -> None:
        """`scope`: of the turn in which the assistant writes."""
        self._journal = journal
        self._cell = cell
        self._scope = scope

    @property
    def current(self) -> TaskList:
        return current_tasks(self._cell.state)

    async def keep(self, tasks: tuple[TaskEdit, ...]) -> TaskList:
        kept = self._with_runs(numbered(tasks))
        async with self._journal.undisturbed() as append:
            if kept != self._cell.state.tasks:
                await append(TasksUpdated(tasks=kept), self._scope)
        return self.current

    async def tick(self) -> None:
        async with self._journal.undisturbed() as append:
            if (ticked := self.current) != self._cell.state.tasks:
                await append(TasksUpdated(tasks=ticked), Scope())

    def _with_runs(self, tasks: TaskList) -> TaskList:
        """Whoever leaves a task's run unmentioned does not mean that there was none."""
        known = {task.id: task.run_id for task in self.current}
        return tuple(
            task if task.run_id is not None else task.model_copy(update={"run_id": known.get(task.id)})
            for task in tasks
        )
