"""Everything a session stands on: the log's store, the team, the files. Opened once, when first needed; what trust and
the configuration say of it may change while we work."""

import os
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from teamwright.models.factory import Models
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import NoticeRaised
from teamwright.protocol.records import EventRecord
from teamwright.runtime.bus import Bus
from teamwright.runtime.checks.runner import CheckRunner
from teamwright.runtime.client_context import ClientContext
from teamwright.runtime.identity import now
from teamwright.runtime.peers.processes import Hear, PeerProcesses
from teamwright.runtime.remembered import tool_choices_in
from teamwright.runtime.runs.files import remove_directories
from teamwright.runtime.team import Team
from teamwright.runtime.team_reloader import HealthBoard, LoadedTeam, TeamReloader
from teamwright.store.locks import Owner
from teamwright.store.port import EventStore
from teamwright.store.sqlite import SqliteStore, has_open_work
from teamwright.store.tool_choices import ToolChoices
from teamwright.tools.mcp.servers import McpServers
from teamwright.workspace.changes.applying import Applier
from teamwright.workspace.changes.file_writes import Editor
from teamwright.workspace.copies.cleaning import remove_left_copies
from teamwright.workspace.files.documents import Documents
from teamwright.workspace.files.exact_writes import ExactWrites
from teamwright.workspace.files.live_files import LiveFiles

# How long a deleted session can be brought back.
_DELETED_ARE_KEPT: Final = timedelta(days=30)
# How often it is looked whether there is a copy of today.
_COPY_IS_DUE_SECONDS: Final = 3_600


@dataclass(frozen=True, slots=True)
class Services:
    # As of now: folders are opened and closed, trust is given, and settings are changed, while we work.
    get_client_context: Callable[[], ClientContext]
    get_loaded_team: Callable[[], LoadedTeam]
    bus: Bus
    store: EventStore
    live: LiveFiles
    applier: Applier
    mcp: McpServers
    checks: CheckRunner
    # What the user has said for good about the tools of those servers.
    tool_choices: ToolChoices
    # Where the files of the workspace's runs lie: scratch folders, answers, change sets.
    state_path: Path
    tasks: TaskGroup

    @property
    def client_context(self) -> ClientContext:
        return self.get_client_context()

    @property
    def team(self) -> Team:
        return self.get_loaded_team().team

    @property
    def health(self) -> HealthBoard:
        return self.get_loaded_team().health

    def name_of(self, uri: str) -> str:
        """How people name a file, with the folders as they are open now."""
        return self.client_context.folders.name_of(uri)

    def as_it_stands(self) -> "Services":
        """For what keeps the trust and the team that it began with, whatever is changed meanwhile."""
        client_context, loaded_team = self.client_context, self.get_loaded_team()
        return replace(self, get_client_context=lambda: client_context, get_loaded_team=lambda: loaded_team)


class ServicesLifecycle:
    """An async context manager: what was opened is closed with it, the store last."""

    def __init__(
        self, client_context: Callable[[], ClientContext], bus: Bus, documents: Documents, editor: Editor | None = None
    ) -> None:
        """Without an editor, changes to the user's files are written to disk."""
        self._client_context = client_context
        self._bus = bus
        self._documents = documents
        self._editor = editor
        self._stack = AsyncExitStack()
        self._mcp = McpServers(os.environ)
        self._opening = anyio.Lock()
        self._services: Services | None = None
        self._models = Models(os.environ)
        self._reloader: TeamReloader | None = None
        self._peers = PeerProcesses()

    async def __aenter__(self) -> Self:
        await self._stack.__aenter__()
        # Here and not with the rest: a task group is left by the task that entered it.
        await self._stack.enter_async_context(self._mcp)
        await self._stack.enter_async_context(self._models)
        self._stack.push_async_callback(self._peers.leave)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)

    async def services(self, tasks: TaskGroup) -> Services:
        """Raises what a user must mend first: a faulty configuration, a state directory that cannot be written."""
        async with self._opening:
            if self._services is None:
                self._services = await self._open(tasks)
            return self._services

    async def listen(self, hear: Hear) -> None:
        """To what other processes write, also while nothing is opened here yet."""
        self._peers.listen(hear)
        await self._peers.settle(self._client_context().state_path(os.environ))

    async def has_open_work(self) -> bool:
        """Whether an earlier process has left anything under way; nothing is opened for the look."""
        return await to_thread.run_sync(has_open_work, self._client_context().state_path(os.environ))

    async def renew(self) -> None:
        """Trust or the configuration has changed. Raises BadParams where it has faults now."""
        async with self._opening:
            if self._reloader is not None:
                await self._reloader.renew()

    async def _open(self, tasks: TaskGroup) -> Services:
        client_context = self._client_context()
        reloader = TeamReloader(self._models, self._client_context, self._bus, tasks)
        await reloader.renew()
        state_path = client_context.state_path(os.environ)
        store = await SqliteStore.open(state_path, Owner.this_process(client_context.editor), self._warn)
        self._stack.push_async_callback(store.close)
        for text in filter(None, (store.notice, client_context.state_notice(os.environ))):
            self._warn(text)
        with suppress(UserError):
            # Where nothing can be written just now, it has time.
            purged = await store.purge(now() - _DELETED_ARE_KEPT)
            await to_thread.run_sync(remove_directories, state_path, purged.runs)
        tasks.start_soon(to_thread.run_sync, remove_left_copies, state_path)
        tasks.start_soon(self._keep_copies, store)
        await self._peers.settle(state_path)
        self._bus.tell_peers_by(self._peers.tell)
        tasks.start_soon(self._peers.keep_telling)
        self._reloader = reloader
        live = LiveFiles(lambda: self._client_context().folders, self._documents)
        exact = ExactWrites(state_path / "replacing")
        await to_thread.run_sync(exact.recover)
        return Services(
            get_client_context=self._client_context,
            get_loaded_team=lambda: reloader.current,
            bus=self._bus,
            store=store,
            live=live,
            applier=Applier(live, exact, self._editor),
            mcp=self._mcp,
            checks=CheckRunner(state_path, lambda: reloader.current.team.settings.commands),
            tool_choices=tool_choices_in(state_path),
            state_path=state_path,
            tasks=tasks,
        )

    def _warn(self, text: str) -> None:
        notice = NoticeRaised(level="warning", text=text)
        self._bus.publish(EventRecord(seq=None, at=now(), session_id=None, event=notice))

    async def _keep_copies(self, store: SqliteStore) -> None:
        """One a day. One that is not whole is told of, once: an older copy of it is worth more than a new one."""
        told = list[str]()
        while True:
            with suppress(UserError):
                faults = await store.keep_daily_copy(now().date())
                if faults and faults != told:
                    self._warn(f"The history is damaged. {' '.join(faults)} `teamwright store recover` mends it.")
                told = faults
            await anyio.sleep(_COPY_IS_DUE_SECONDS)
