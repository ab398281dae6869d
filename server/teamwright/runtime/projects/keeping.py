"""The project of one session, and what is written down of it: by the assistant's word, and after every run."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from anyio import to_thread

from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.errors import BadParams, FieldError, NotFound
from teamwright.runtime.identity import now
from teamwright.runtime.services import Services
from teamwright.tools.assistant import ProjectUpdate
from teamwright.workspace.files.safe_files import Root
from teamwright.workspace.projects.own_files import InEditor, Kept, OwnWrite, Revision, Written
from teamwright.workspace.projects.projects import Projects, update_memory, update_user_memory
from teamwright.workspace.projects.run_records import RunRecord

Select = Callable[[str], Awaitable[object]]


class SessionProject:
    """`select` puts a project down as the session's."""

    def __init__(
        self, services: Services, current: Callable[[], str | None], select: Select, own_directory: Callable[[], Path]
    ) -> None:
        self._services = services
        self._current = current
        self._select = select
        self._own_directory = own_directory

    async def update(self, update: ProjectUpdate) -> str:
        """Raises UserError."""
        told: list[str] = []
        if update.name is not None or update.goal is not None:
            told.append(await self._take_up(update.name, update.goal))
        if update.notes is not None or update.filepaths:
            told += await self._write_down(update)
        if update.memory is not None:
            memory = update.memory
            told.append(await self._told("the memory of this workspace", lambda: self._remember(memory)))
        if update.user_memory is not None:
            own, memory = Root(self._own_directory(), private=True), update.user_memory
            told.append(await self._told("the user's memory", lambda: update_user_memory(own, memory, self._origin)))
        return "\n".join(told)

    async def note(self, record: RunRecord) -> tuple[str, ...]:
        """The run's files, its line in the context, and its result among the deliverables; what could not be written.

        Raises UserError where the project cannot be written to at all.
        """
        name = self._current()
        if name is None:
            return ()
        files = await to_thread.run_sync(lambda: self._projects.project(name))
        await to_thread.run_sync(lambda: files.save_run(record))
        if record.outcome == "completed" and (text := record.text) is not None:
            await to_thread.run_sync(lambda: files.save_deliverable(record, text))
        noted = await self._carried_out(await to_thread.run_sync(lambda: files.note_run(record)))
        return () if isinstance(noted, Written) else (f"CONTEXT.md of {name} does not name this run: {noted.reason}.",)

    @property
    def _origin(self) -> str:
        return self._services.client_context.origin(now().date())

    @property
    def _projects(self) -> Projects:
        return Projects(self._services.live)

    async def _take_up(self, name: str | None, goal: str | None) -> str:
        known = await to_thread.run_sync(self._projects.names)
        if name is not None and name in known:
            await self._select(name)
            return f"`{name}` is the current project; its files are below `.teamwright/projects/{name}/`."
        if goal is None:
            raise NotFound(f"There is no project `{name}`; give `goal` to begin it, or one of: {', '.join(known)}.")
        created = await to_thread.run_sync(lambda: self._projects.create(name, goal))
        await self._select(created.name)
        return f"The project `{created.name}` was begun in `{created.path}`, with its goal in CONTEXT.md."

    async def _write_down(self, update: ProjectUpdate) -> list[str]:
        name = self._current()
        if name is None:
            raise BadParams([FieldError(path="project", message="no project is selected; name one first")])
        files = await to_thread.run_sync(lambda: self._projects.project(name))
        told: list[str] = []
        if update.notes is not None:
            notes = update.notes
            told.append(await self._told("the notes", lambda: files.set_notes(notes)))
        if update.filepaths:
            told.append(await self._told("the list of files", lambda: files.set_filepaths(update.filepaths)))
        return told

    def _remember(self, memory: str) -> OwnWrite:
        folders = self._services.live.folders.folders
        if not folders:
            raise NotFound("There is no folder to keep a memory in; open one in the editor first.")
        return update_memory(
            self._services.live, WorkspacePath(folders[0].name, (".teamwright", "MEMORY.md")), memory, self._origin
        )

    async def _told(self, what: str, write: Callable[[], OwnWrite]) -> str:
        outcome = await self._carried_out(await to_thread.run_sync(write))
        return f"Updated: {what}." if isinstance(outcome, Written) else f"Not updated: {what}; {outcome.reason}."

    async def _carried_out(self, outcome: OwnWrite) -> Written | Kept:
        if not isinstance(outcome, InEditor):
            return outcome
        (settled,) = await self._services.applier.carry_out(lambda: Revision(self._services.live, outcome))
        return Written() if settled.outcome == "applied" else Kept(settled.reason or "the editor did not take it")
