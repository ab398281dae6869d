"""Everything a session stands on: the log's store, the team, the files. Opened once, when first needed; what trust and
the configuration say of it may change while we work."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from teamwright.protocol.errors import UserError
from teamwright.protocol.events import NoticeRaised
from teamwright.protocol.records import EventRecord
from teamwright.runtime.bus import Bus
from teamwright.runtime.checks.runner import CheckRunner
from teamwright.runtime.client_context import ClientContext
from teamwright.runtime.foundations import Foundations
from teamwright.runtime.identity import now
from teamwright.runtime.remembered import tool_choices_in
from teamwright.runtime.runs.files import remove_directories
from teamwright.runtime.team import Team
from teamwright.runtime.team_reloader import HealthBoard, LoadedTeam, TeamReloader
from teamwright.store.locks import Owner
from teamwright.store.port import EventStore
from teamwright.store.sqlite import SqliteStore
from teamwright.store.tool_choices import ToolChoices
from teamwright.tools.mcp.servers import McpServers
from teamwright.workspace.changes.applying import Applier
from teamwright.workspace.copies.cleaning import remove_left_copies
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
    """Opens the services once, when they are first needed."""

    def __init__(self, foundations: Foundations) -> None:
        self._foundations = foundations
        self._opening = anyio.Lock()
        self._services: Services | None = None
        self._reloader: TeamReloader | None = None

    async def services(self, tasks: TaskGroup) -> Services:
        """Raises what a user must mend first: a faulty configuration, a state directory that cannot be written."""
        async with self._opening:
            if self._services is None:
                self._services = await self._open(tasks)
            return self._services

    async def renew(self) -> None:
        """Trust or the configuration has changed. Raises BadParams where it has faults now."""
        async with self._opening:
            if self._reloader is not None:
                await self._reloader.renew()

    async def _open(self, tasks: TaskGroup) -> Services:
        given = self._foundations
        client_context = given.client_context()
        reloader = TeamReloader(given.models, given.client_context, given.bus, tasks)
        await reloader.renew()
        state_path = client_context.state_path(os.environ)
        store = await SqliteStore.open(state_path, Owner.this_process(client_context.editor), self._warn)
        given.closing.push_async_callback(store.close)
        for text in filter(None, (store.notice, client_context.state_notice(os.environ))):
            self._warn(text)
        with suppress(UserError):
            # Where nothing can be written just now, it has time.
            purged = await store.purge(now() - _DELETED_ARE_KEPT)
            await to_thread.run_sync(remove_directories, state_path, purged.runs)
        tasks.start_soon(to_thread.run_sync, remove_left_copies, state_path)
        tasks.start_soon(self._keep_copies, store)
        await given.peers.settle(state_path)
        given.bus.tell_peers_by(given.peers.tell)
        tasks.start_soon(given.peers.keep_telling)
        self._reloader = reloader
        live = LiveFiles(lambda: given.client_context().folders, given.documents)
        exact = ExactWrites(state_path / "replacing")
        await to_thread.run_sync(exact.recover)
        return Services(
            get_client_context=given.client_context,
            get_loaded_team=lambda: reloader.current,
            bus=given.bus,
            store=store,
            live=live,
            applier=Applier(live, exact, given.editor),
            mcp=given.mcp,
            checks=CheckRunner(state_path, lambda: reloader.current.team.settings.commands),
            tool_choices=tool_choices_in(state_path),
            state_path=state_path,
            tasks=tasks,
        )

    def _warn(self, text: str) -> None:
        notice = NoticeRaised(level="warning", text=text)
        self._foundations.bus.publish(EventRecord(seq=None, at=now(), session_id=None, event=notice))

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
