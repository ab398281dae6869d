"""The application from its opening to its end: what a door opens, and what it is opened with."""

import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress

import anyio
from anyio.abc import TaskGroup

from teamwright.application.background import BackgroundTasks
from teamwright.application.context import CommandContext
from teamwright.application.transcripts import ClientTranscripts
from teamwright.protocol.errors import UserError
from teamwright.protocol.ids import SessionId
from teamwright.runtime.bus import Bus, Listener
from teamwright.runtime.catalog.catalog import SessionCatalog
from teamwright.runtime.client_context import ClientContext
from teamwright.runtime.peers.processes import PeerProcesses
from teamwright.runtime.services import ServicesLifecycle
from teamwright.runtime.sessions.supervisor import Supervisor
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore
from teamwright.workspace.changes.file_writes import Editor
from teamwright.workspace.files.documents import Documents

__all__ = ["ClientContext", "Listener", "RunningApplication", "SessionHistory", "opened_application", "opened_history"]

SessionHistory = SessionCatalog


class RunningApplication:
    """Its sessions and the one root group of tasks; nothing is opened before the first command needs it."""

    def __init__(self, bus: Bus, services: ServicesLifecycle, tasks: TaskGroup) -> None:
        self._bus = bus
        self._services = services
        self.background = BackgroundTasks()
        tasks.start_soon(self.background.run)
        self._supervisor = Supervisor(lambda: services.services(tasks), self._put_away)
        self._drawing: dict[Listener, ClientTranscripts] = {}

    def context_for(self, client: Listener) -> CommandContext:
        """The client is told of the sessions that it opens or writes to."""
        return CommandContext(self._supervisor, client, self.background, self._drawing.get(client))

    def draw_for(self, client: Listener, is_held: Callable[[SessionId], bool] = lambda _: False) -> ClientTranscripts:
        """From now on the client is told by patches what to draw of the sessions and runs that it opens.

        What is returned is to be told all that the client is told. `is_held`: whether the client is to hear nothing of
        a session for now.
        """
        self._drawing[client] = ClientTranscripts(client, is_held, self._supervisor.transcript)
        return self._drawing[client]

    def _put_away(self, session_id: SessionId) -> None:
        for transcripts in self._drawing.values():
            transcripts.put_away(session_id)

    def join(self, client: Listener) -> None:
        """From now on the client is told what concerns every client of the workspace, too."""
        self._bus.join(client)

    def start(self) -> None:
        """What begins with a server, and not with its first command: other processes are listened to, and what the end
        of an earlier one has left behind is taken up."""
        self.background.start(self._supervisor.foreign.follow)
        self.background.start(self._services.listen, self._supervisor.foreign.hear)
        self._supervisor.recovery.expect()
        self.background.start(self._recover)

    async def _recover(self) -> None:
        """Nothing is opened for it where nothing was left; what keeps it from being opened the first command tells."""
        if await self._services.has_open_work():
            with suppress(UserError):
                await self._supervisor.services()

    async def renew(self) -> None:
        """Trust or the configuration has changed. Raises BadParams where it has faults now."""
        await self._services.renew()


@asynccontextmanager
async def opened_application(
    client_context: Callable[[], ClientContext], documents: Documents | None = None, editor: Editor | None = None
) -> AsyncGenerator[RunningApplication]:
    """When it is left, all that is under way is stopped, and what was opened is closed, the store last.

    `client_context` is asked again whenever it counts: trust and folders change. Without an editor, changes to the
    user's files are written to disk.
    """
    bus = Bus()
    async with (
        ServicesLifecycle(client_context, bus, documents or Documents(), editor) as services,
        anyio.create_task_group() as tasks,
    ):
        yield RunningApplication(bus, services, tasks)
        tasks.cancel_scope.cancel()


@asynccontextmanager
async def opened_history(client_context: ClientContext, tell: Callable[[str], None]) -> AsyncGenerator[SessionCatalog]:
    """Sessions as things, without a team or its configuration. `tell` is given what is amiss with the store."""
    state_path = client_context.state_path(os.environ)
    store = await SqliteStore.open(state_path, Owner.this_process(client_context.editor))
    bus, peers = Bus(), PeerProcesses()
    try:
        for notice in filter(None, (store.notice, client_context.state_notice(os.environ))):
            tell(notice)
        await peers.settle(state_path)
        bus.tell_peers_by(peers.tell)
        yield SessionCatalog(store, bus, client_context.folders)
    finally:
        await store.close()
        await peers.leave()
