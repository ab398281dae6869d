"""The list of big work, as the assistant keeps it."""

from typing import Annotated, Protocol

from pydantic import Field

from teamwright.permissions import actions
from teamwright.protocol.ids import RunId
from teamwright.protocol.plans import MAX_ID, MAX_TASKS, MAX_TITLE, ListedTask, TaskEdit, TaskState
from teamwright.tools.port import Arguments, Outcome, Succeeded, Tool


class TaskKeeper(Protocol):
    async def keep(self, tasks: tuple[TaskEdit, ...]) -> tuple[ListedTask, ...]:
        """The list as it stands from now on."""
        ...


class TaskEntry(Arguments):
    id: Annotated[str, Field(min_length=1, max_length=MAX_ID)]
    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE)]
    state: TaskState = "pending"
    run_id: str | None = None


class TaskListArguments(Arguments):
    tasks: Annotated[list[TaskEntry], Field(max_length=MAX_TASKS, description="All of them, in their order.")]


class TaskListTool(Tool[TaskListArguments]):
    name = "task_list"
    description = (
        "Keep the list of tasks of big work, which the user sees. Runs with a `task_id` tick theirs by themselves."
    )
    arguments = TaskListArguments

    def __init__(self, keeper: TaskKeeper) -> None:
        self._keeper = keeper

    def action(self, arguments: TaskListArguments) -> actions.Action:
        del arguments
        return actions.KeepTasksAction()

    async def run(self, arguments: TaskListArguments) -> Outcome:
        kept = await self._keeper.keep(tuple(_edit(task) for task in arguments.tasks))
        return Succeeded("\n".join(f"{task.id}. {task.title} ({task.state})" for task in kept) or "The list is empty.")


def _edit(task: TaskEntry) -> TaskEdit:
    run_id = None if task.run_id is None else RunId(task.run_id)
    return TaskEdit(id=task.id, title=task.title, state=task.state, run_id=run_id)
