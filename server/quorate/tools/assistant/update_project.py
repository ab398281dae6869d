"""`update_project`: the assistant begins or takes up a project, and keeps what is written down of it current."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from pydantic import Field

from quorate.permissions import actions
from quorate.protocol.commands import ProjectPath
from quorate.tools.port import Arguments, Failed, Outcome, Succeeded, Tool


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
    memory: Annotated[str | None, Field(description="What to remember of this workspace, whole.")] = None
    user_memory: Annotated[str | None, Field(description="What to remember of the user everywhere, whole.")] = None


class UpdateProject(Tool[UpdateProjectArguments]):
    name = "update_project"
    description = "Begin or take up a project, and keep its notes, its files and your memory current."
    arguments = UpdateProjectArguments

    def __init__(self, keeper: ProjectKeeper) -> None:
        self._keeper = keeper

    def action(self, arguments: UpdateProjectArguments) -> actions.Action:
        del arguments
        return actions.UpdateProject()

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
