"""What a client asks about projects: which there are, one of them, a new one, and which is a session's."""

from anyio import to_thread

from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.protocol import command_table as table
from teamwright.protocol.commands import Project, ProjectListResult, ProjectParams
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.workspace.projects.projects import Projects


@carries_out(table.PROJECT_LIST)
async def list_projects(context: CommandContext, _params: ProjectParams) -> ProjectListResult:
    projects = await _projects(context)
    return ProjectListResult(projects=await to_thread.run_sync(projects.all))


@carries_out(table.PROJECT_CREATE)
async def create_project(context: CommandContext, params: ProjectParams) -> Project:
    """For a session, if one is named: it is selected there at once."""
    session = await context.supervisor.existing(params.session_id) if params.session_id is not None else None
    projects = await _projects(context)
    created = await to_thread.run_sync(lambda: projects.create(params.name, params.goal))
    if session is not None:
        await session.relist(project=created.name)
    return created


@carries_out(table.PROJECT_SELECT)
async def select_project(context: CommandContext, params: ProjectParams) -> Project:
    """For a session, or for those that are begun from now on in this process."""
    if params.name is None:
        raise BadParams([FieldError(path="name", message="is required")])
    project = await _loaded(context, params.name)
    if params.session_id is None:
        context.supervisor.project_of_new_sessions = project.name
    else:
        await (await context.supervisor.existing(params.session_id)).relist(project=project.name)
    return project


@carries_out(table.PROJECT_OPEN)
async def open_project(context: CommandContext, params: ProjectParams) -> Project:
    """By its name, or the one of a session."""
    name = params.name
    if name is None and params.session_id is not None:
        name = (await context.supervisor.existing(params.session_id)).state.heading.project
    if name is None:
        raise BadParams([FieldError(path="name", message="is required: no project is selected")])
    return await _loaded(context, name)


async def _loaded(context: CommandContext, name: str) -> Project:
    projects = await _projects(context)
    return await to_thread.run_sync(lambda: projects.project(name).load())


async def _projects(context: CommandContext) -> Projects:
    return Projects((await context.services()).live)
