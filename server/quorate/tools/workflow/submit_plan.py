"""`submit_plan`: in planning, an agent submits a plan instead of an answer."""

from pydantic import Field

from quorate.protocol.plans import Plan, PlanTask
from quorate.tools.port import Arguments, Outcome
from quorate.tools.workflow.tool import WorkflowTool, outcome_of


class TaskArguments(Arguments):
    title: str = Field(min_length=1)
    detail: str
    phase: str | None = None
    files: list[str] | None = None


class SubmitPlanArguments(Arguments):
    title: str = Field(min_length=1)
    tasks: list[TaskArguments] = Field(min_length=1)


class SubmitPlan(WorkflowTool[SubmitPlanArguments]):
    name = "submit_plan"
    description = "Submit your complete plan."
    arguments = SubmitPlanArguments

    async def run(self, arguments: SubmitPlanArguments) -> Outcome:
        tasks = (
            PlanTask(
                id=str(number),
                title=task.title,
                detail=task.detail,
                phase=task.phase,
                files=tuple(task.files) if task.files is not None else None,
            )
            for number, task in enumerate(arguments.tasks, 1)
        )
        return outcome_of(await self._floor.propose(Plan(title=arguments.title, tasks=tuple(tasks))))
