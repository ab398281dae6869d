"""What a client asks about projects: which there are, one of them, a new one, and which is a session's."""

from anyio import to_thread

from quorate.protocol.commands import Project, ProjectListResult, ProjectParams
from quorate.protocol.errors import BadParams, FieldError
from quorate.runtime.supervisor import Supervisor
from quorate.workspace.projects import Projects


async def list_projects(supervisor: Supervisor) -> ProjectListResult:
    projects = await _projects(supervisor)
    return ProjectListResult(projects=await to_thread.run_sync(projects.all))


async def create_project(supervisor: Supervisor, params: ProjectParams) -> Project:
    """For a session, if one is named: it is selected there at once."""
    session = await supervisor.existing(params.session_id) if params.session_id is not None else None
    projects = await _projects(supervisor)
    created = await to_thread.run_sync(lambda: projects.create(params.name, params.goal))
    if session is not None:
        await session.relist(project=created.name)
    return created


async def select_project(supervisor: Supervisor, params: ProjectParams) -> Project:
    """For a session, or for those that are begun from now on in this process."""
    if params.name is None:
        raise BadParams([FieldError(path="name", message="is required")])
    project = await _loaded(supervisor, params.name)
    if params.session_id is None:
        supervisor.project_of_new_sessions = project.name
    else:
        await (await supervisor.existing(params.session_id)).relist(project=project.name)
    return project


async def open_project(supervisor: Supervisor, params: ProjectParams) -> Project:
    """By its name, or the one of a session."""
    name = params.name
    if name is None and params.session_id is not None:
        name = (await supervisor.existing(params.session_id)).state.project
    if name is None:
        raise BadParams([FieldError(path="name", message="is required: no project is selected")])
    return await _loaded(supervisor, name)


async def _loaded(supervisor: Supervisor, name: str) -> Project:
    projects = await _projects(supervisor)
    return await to_thread.run_sync(lambda: projects.project(name).load())


async def _projects(supervisor: Supervisor) -> Projects:
    return Projects((await supervisor.house()).live)
