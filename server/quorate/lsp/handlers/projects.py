"""Projects of the workspace."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import Project, ProjectListResult, ProjectParams
from quorate.runtime.projects import desk as projects


async def list_projects(desk: Desk, params: ProjectParams) -> ProjectListResult:
    del params
    return await projects.list_projects(desk.supervisor)


async def create_project(desk: Desk, params: ProjectParams) -> Project:
    return await projects.create_project(desk.supervisor, params)


async def select_project(desk: Desk, params: ProjectParams) -> Project:
    return await projects.select_project(desk.supervisor, params)


async def open_project(desk: Desk, params: ProjectParams) -> Project:
    return await projects.open_project(desk.supervisor, params)
