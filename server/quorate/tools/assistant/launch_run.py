"""`launch_run`: the assistant brings in the team."""

from typing import Annotated, Any, Literal

from pydantic import Field

from quorate.permissions import actions
from quorate.protocol.runs import RunSpec
from quorate.protocol.validation import parse_params
from quorate.tools.assistant.lead import Lead
from quorate.tools.port import Arguments, Outcome, Succeeded, Tool


class PathArguments(Arguments):
    path: str
    permission: Literal["read", "write"] = "read"


class LaunchRunArguments(Arguments):
    task: Annotated[str, Field(min_length=1, description="What to accomplish. It stands by itself.")]
    context: Annotated[str | None, Field(description="Background, constraints, results of earlier runs.")] = None
    agent_mode: Literal["single", "multi"] | None = None
    agents: Annotated[list[str] | None, Field(description="Ids of the agents; default: the whole team.")] = None
    refinement: Annotated[bool | None, Field(description="Agents see each other's answers and improve.")] = None
    planning_mode: Annotated[bool | None, Field(description="Make a plan, carry nothing out.")] = None
    execute_after_planning: Annotated[bool | None, Field(description="Then carry the plan out unasked.")] = None
    review: Annotated[bool | None, Field(description="A review: findings at their lines, with agreement.")] = None
    context_paths: list[PathArguments] | None = None
    agent_system_prompts: Annotated[
        dict[str, str] | None, Field(description="Additions to an agent's instructions, by its id.")
    ] = None
    coordination_overrides: Annotated[
        dict[str, Any] | None,
        Field(
            description="voting_sensitivity, max_new_answers_per_agent, final_answer_strategy, time-outs and others."
        ),
    ] = None


class LaunchRun(Tool[LaunchRunArguments]):
    name = "launch_run"
    description = "Have the team work on a task. Answers with the result, also a partial one."
    arguments = LaunchRunArguments

    def __init__(self, lead: Lead) -> None:
        self._lead = lead

    def action(self, arguments: LaunchRunArguments) -> actions.Action:
        # What it costs is part of the question that the run itself asks.
        return actions.LaunchRun(arguments.task, usd=None)

    async def run(self, arguments: LaunchRunArguments) -> Outcome:
        spec = parse_params(RunSpec, arguments.model_dump(exclude_none=True))
        return Succeeded(await self._lead.launch(spec))
