"""The application from its opening to its end: what a door opens, and what it is opened with."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

import anyio
from anyio.abc import TaskGroup

from teamwright.application.background import BackgroundTasks
from teamwright.application.transcripts import ClientTranscripts
from teamwright.preload import preload
from teamwright.protocol.errors import UserError
from teamwright.protocol.ids import SessionId
from teamwright.runtime.bus import Listener
from teamwright.runtime.client_context import ClientContext
from teamwright.runtime.foundations import Foundations, laid_foundations
from teamwright.runtime.peers.processes import LogGrowth
from teamwright.workspace.changes.file_writes import Editor
from teamwright.workspace.files.documents import Documents

if TYPE_CHECKING:
    from teamwright.application.context import CommandContext
    from teamwright.engine.transcript.session import SessionTranscript
    from teamwright.runtime.services import ServicesLifecycle
    from teamwright.runtime.sessions.supervisor import Supervisor

__all__ = ["ClientContext", "Listener", "RunningApplication", "opened_application"]

# Every command, and with it every session, run and tool.
_COMMANDS: Final = "teamwright.application.dispatch"


class RunningApplication:
    """Its sessions and the one root group of tasks; nothing is opened before the first command needs it."""

    def __init__(self, foundations: Foundations, tasks: TaskGroup) -> None:
        self._foundations = foundations
        self._tasks = tasks
        self.background = BackgroundTasks()
        tasks.start_soon(self.background.run)
        self._services: ServicesLifecycle | None = None
        self._supervisor: Supervisor | None = None
        self._is_server = False
        self._drawing: dict[Listener, ClientTranscripts] = {}

    async def load(self) -> None:
        """What commands take, beside the event loop. An editor that is only open carries none of it."""
        if self._supervisor is not None:
            return
        await preload(_COMMANDS)
        from teamwright.runtime.services import ServicesLifecycle  # noqa: PLC0415 - loaded by now
        from teamwright.runtime.sessions.supervisor import Supervisor  # noqa: PLC0415 - the same

        if self._supervisor is None:  # Nobody else was waiting for the same.
            services = self._services = ServicesLifecycle(self._foundations)
            self._supervisor = Supervisor(lambda: services.services(self._tasks), self._put_away)
            if self._is_server:
                self._serve_with(self._supervisor)

    def context_for(self, client: Listener) -> "CommandContext":
        """The client is told of the sessions that it opens or writes to. To be loaded before."""
        from teamwright.application.context import CommandContext  # noqa: PLC0415 - loaded by now

        if self._supervisor is None:
            raise RuntimeError("the application is not loaded")
        return CommandContext(self._supervisor, client, self.background, self._drawing.get(client))

    def is_written_elsewhere(self, session_id: SessionId | None) -> bool:
        """Whether another process has this session, so that only it can take an answer."""
        return self._supervisor is not None and session_id in self._supervisor.foreign

    def draw_for(self, client: Listener, is_held: Callable[[SessionId], bool] = lambda _: False) -> ClientTranscripts:
        """From now on the client is told by patches what to draw of the sessions and runs that it opens.

        What is returned is to be told all that the client is told. `is_held`: whether the client is to hear nothing of
        a session for now.
        """
        self._drawing[client] = ClientTranscripts(client, is_held, self._transcript)
        return self._drawing[client]

    def _put_away(self, session_id: SessionId) -> None:
        for transcripts in self._drawing.values():
            transcripts.put_away(session_id)

    def join(self, client: Listener) -> None:
        """From now on the client is told what concerns every client of the workspace, too."""
        self._foundations.bus.join(client)

    def start(self) -> None:
        """What begins with a server, and not with its first command: other processes are listened to, and what the end
        of an earlier one has left behind is taken up."""
        self._is_server = True
        if self._supervisor is not None:
            self._serve_with(self._supervisor)
        self.background.start(self._foundations.listen, self._hear)
        self.background.start(self._recover)

    def _serve_with(self, supervisor: "Supervisor") -> None:
        supervisor.recovery.expect()
        self.background.start(supervisor.foreign.follow)

    def _hear(self, growth: LogGrowth) -> None:
        if self._supervisor is not None:
            self._supervisor.foreign.hear(growth)
        else:
            self.background.start(self._hear_when_loaded, growth)

    async def _hear_when_loaded(self, growth: LogGrowth) -> None:
        await self.load()
        self._hear(growth)

    async def _recover(self) -> None:
        """Nothing is opened for it where nothing was left; what keeps it from being opened the first command tells."""
        if await self._foundations.has_open_work():
            await self.load()
            if self._supervisor is not None:
                with suppress(UserError):
                    await self._supervisor.services()

    def _transcript(self, session_id: SessionId) -> "SessionTranscript | None":
        return None if self._supervisor is None else self._supervisor.transcript(session_id)

    async def renew(self) -> None:
        """Trust or the configuration has changed. Raises BadParams where it has faults now."""
        if self._services is not None:
            await self._services.renew()


@asynccontextmanager
async def opened_application(
    client_context: Callable[[], ClientContext],
    documents: Documents | None = None,
    editor: Editor | None = None,
    *,
    is_loaded: bool = True,
) -> AsyncGenerator[RunningApplication]:
    """When it is left, all that is under way is stopped, and what was opened is closed, the store last.

    Not loaded: for a door behind which there may be nothing to do for a long time.

    `client_context` is asked again whenever it counts: trust and folders change. Without an editor, changes to the
    user's files are written to disk.
    """
    async with (
        laid_foundations(client_context, documents or Documents(), editor) as foundations,
        anyio.create_task_group() as tasks,
    ):
        application = RunningApplication(foundations, tasks)
        if is_loaded:
            await application.load()
        yield application
        tasks.cancel_scope.cancel()
