"""What the assistant can do besides reading: launch runs and look at them, keep the project current, ask the user.

Agents ask the user by the same tool.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field, model_validator

from teamwright.permissions import actions
from teamwright.permissions.actions import Action, AskPersonAction
from teamwright.protocol.commands import ProjectPath
from teamwright.protocol.ids import RunId
from teamwright.protocol.runs import RunSpec
from teamwright.protocol.validation import parse_params
from teamwright.tools.port import Arguments, Failed, Outcome, Succeeded, Tool

# Asks with the question and the choices offered, and waits however long the person takes.
AskPerson = Callable[[str, Sequence[str]], Awaitable[str]]


class RunLauncher(Protocol):
    async def launch(self, spec: RunSpec) -> str:
        """Runs it to its end, approval included; what came of it, for the model. Raises UserError."""
        ...

    async def report(self, run_id: RunId) -> str:
        """How a run of this session stands, or what came of it. Raises UserError."""
        ...

    async def analyse(self, run_id: RunId) -> str:
        """What can be learned from a run of this session that is over. Raises UserError."""
        ...

    async def ask_person(self, question: str, choices: Sequence[str]) -> str: ...


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
    task_id: Annotated[str | None, Field(description="The entry of `task_list` that it is for.")] = None
    agent_system_prompts: Annotated[
        dict[str, str] | None, Field(description="Additions to an agent's instructions, by its id.")
    ] = None
    checks: Annotated[list[str] | None, Field(description="Of the project's checks only these.")] = None
    checks_policy: Literal["prefer", "require", "inform"] | None = None
    coordination_overrides: Annotated[
        dict[str, Any] | None,
        Field(
            description="voting_sensitivity, max_new_answers_per_agent, final_answer_strategy, time-outs and others."
        ),
    ] = None


class LaunchRunTool(Tool[LaunchRunArguments]):
    name = "launch_run"
    description = "Have the team work on a task. Answers with the result, also a partial one."
    arguments = LaunchRunArguments

    def __init__(self, launcher: RunLauncher) -> None:
        self._launcher = launcher

    def action(self, arguments: LaunchRunArguments) -> actions.Action:
        del arguments
        return actions.RequestRunAction()

    async def run(self, arguments: LaunchRunArguments) -> Outcome:
        spec = parse_params(RunSpec, arguments.model_dump(exclude_none=True))
        return Succeeded(await self._launcher.launch(spec))


class GetRunArguments(Arguments):
    run_id: str


class GetRunTool(Tool[GetRunArguments]):
    name = "get_run"
    description = "How a run of this session stands, or what came of it."
    arguments = GetRunArguments

    def __init__(self, launcher: RunLauncher) -> None:
        self._launcher = launcher

    def action(self, arguments: GetRunArguments) -> actions.Action:
        del arguments
        return actions.ReadRunAction()

    async def run(self, arguments: GetRunArguments) -> Outcome:
        return Succeeded(await self._launcher.report(RunId(arguments.run_id)))


class AnalyzeRunTool(Tool[GetRunArguments]):
    name = "analyze_run"
    description = (
        "What can be learned from a run that is over: answers that were alike, votes that flipped, rounds that changed "
        "nothing, slow and failing agents, where tokens went, and settings to launch it again with."
    )
    arguments = GetRunArguments

    def __init__(self, launcher: RunLauncher) -> None:
        self._launcher = launcher

    def action(self, arguments: GetRunArguments) -> actions.Action:
        del arguments
        return actions.ReadRunAction()

    async def run(self, arguments: GetRunArguments) -> Outcome:
        return Succeeded(await self._launcher.analyse(RunId(arguments.run_id)))


@dataclass(frozen=True, slots=True)
class ProjectUpdate:
    """What is None stays as it is; a path that is None is taken off the list."""

    name: str | None
    goal: str | None
    notes: str | None
    filepaths: Mapping[str, ProjectPath | None]
    memory: str | None
    user_memory: str | None


class ProjectKeeper(Protocol):
    async def update(self, update: ProjectUpdate) -> str:
        """What was done, for the model. Raises UserError."""
        ...


class PathEntry(Arguments):
    path: str
    kind: Literal["file", "directory"] = "file"
    description: str = ""


class UpdateProjectArguments(Arguments):
    project: Annotated[
        str | None, Field(description="Its name. Another than the current one is taken up, or begun with `goal`.")
    ] = None
    goal: Annotated[str | None, Field(description="What a new project is for.")] = None
    notes: Annotated[
        str | None,
        Field(description="The Notes section of CONTEXT.md, whole: goals, decisions, what is done, what is next."),
    ] = None
    filepaths: Annotated[
        dict[str, PathEntry | None] | None, Field(description="Files that matter, by a short name; null removes one.")
    ] = None
    memory: Annotated[
        str | None, Field(description="What to remember of this workspace, whole. The user is asked first.")
    ] = None
    user_memory: Annotated[
        str | None, Field(description="What to remember of the user everywhere, whole. The user is asked first.")
    ] = None

    @model_validator(mode="after")
    def _is_one_question(self) -> "UpdateProjectArguments":
        if self.memory is not None and self.user_memory is not None:
            raise ValueError("memory and user_memory are asked about one at a time; give them in two calls")
        return self


class UpdateProjectTool(Tool[UpdateProjectArguments]):
    name = "update_project"
    description = "Begin or take up a project, and keep its notes, its files and your memory current."
    arguments = UpdateProjectArguments

    def __init__(self, keeper: ProjectKeeper) -> None:
        self._keeper = keeper

    def action(self, arguments: UpdateProjectArguments) -> actions.Action:
        if arguments.user_memory is not None:
            return actions.UpdateProjectAction(actions.Memory(arguments.user_memory, "user"))
        if arguments.memory is not None:
            return actions.UpdateProjectAction(actions.Memory(arguments.memory, "workspace"))
        return actions.UpdateProjectAction()

    async def run(self, arguments: UpdateProjectArguments) -> Outcome:
        if not arguments.model_fields_set:
            return Failed("Say what to update: project, notes, filepaths, memory or user_memory.")
        entries = (arguments.filepaths or {}).items()
        update = ProjectUpdate(
            name=arguments.project,
            goal=arguments.goal,
            notes=arguments.notes,
            filepaths={name: None if entry is None else ProjectPath(**dict(entry)) for name, entry in entries},
            memory=arguments.memory,
            user_memory=arguments.user_memory,
        )
        return Succeeded(await self._keeper.update(update))


class RequestInputArguments(Arguments):
    question: str = Field(min_length=1)
    choices: list[str] | None = None


class RequestInputTool(Tool[RequestInputArguments]):
    name = "request_input"
    description = "Ask the user when the work cannot go on without them. Rare."
    arguments = RequestInputArguments

    def __init__(self, ask: AskPerson) -> None:
        self._ask = ask

    def action(self, arguments: RequestInputArguments) -> Action:
        del arguments
        return AskPersonAction()

    async def run(self, arguments: RequestInputArguments) -> Outcome:
        return Succeeded(await self._ask(arguments.question, arguments.choices or ()))
