"""The project of one session, and what is written down of it: by the assistant's word, and after every run."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from anyio import to_thread

from quorate.permissions.paths import WorkspacePath
from quorate.protocol.errors import BadParams, FieldError, NotFound
from quorate.runtime.house import House
from quorate.tools.assistant.update_project import ProjectUpdate
from quorate.workspace.own_files import InEditor, Kept, OwnWrite, Written
from quorate.workspace.projects import Projects, update_memory, update_user_memory
from quorate.workspace.revisions import Revision
from quorate.workspace.run_records import RunRecord
from quorate.workspace.safe_files import Root

Select = Callable[[str], Awaitable[object]]


class SessionProject:
    """`select` puts a project down as the session's."""

    def __init__(self, house: House, current: Callable[[], str | None], select: Select, own_directory: Path) -> None:
        self._house = house
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
            own, memory = Root(self._own_directory), update.user_memory
            told.append(await self._told("the user's memory", lambda: update_user_memory(own, memory)))
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
        if record.outcome == "completed" and record.result is not None:
            text = record.result.text
            await to_thread.run_sync(lambda: files.save_deliverable(record, text))
        noted = await self._carried_out(await to_thread.run_sync(lambda: files.note_run(record)))
        return () if isinstance(noted, Written) else (f"CONTEXT.md of {name} does not name this run: {noted.reason}.",)

    @property
    def _projects(self) -> Projects:
        return Projects(self._house.live)

    async def _take_up(self, name: str | None, goal: str | None) -> str:
        known = await to_thread.run_sync(self._projects.names)
        if name is not None and name in known:
            await self._select(name)
            return f"`{name}` is the current project; its files are below `.quorate/projects/{name}/`."
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
        folders = self._house.live.folders.folders
        if not folders:
            raise NotFound("There is no folder to keep a memory in; open one in the editor first.")
        return update_memory(self._house.live, WorkspacePath(folders[0].name, (".quorate", "MEMORY.md")), memory)

    async def _told(self, what: str, write: Callable[[], OwnWrite]) -> str:
        outcome = await self._carried_out(await to_thread.run_sync(write))
        return f"Updated: {what}." if isinstance(outcome, Written) else f"Not updated: {what}; {outcome.reason}."

    async def _carried_out(self, outcome: OwnWrite) -> Written | Kept:
        if not isinstance(outcome, InEditor):
            return outcome
        (settled,) = await self._house.applier.carry_out(lambda: Revision(self._house.live, outcome))
        return Written() if settled.outcome == "applied" else Kept(settled.reason or "the editor did not take it")
