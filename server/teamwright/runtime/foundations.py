"""What a process has from its beginning: light enough for an editor that is open and not used."""

import os
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from teamwright.models.factory import Models
from teamwright.runtime.bus import Bus
from teamwright.runtime.client_context import ClientContext
from teamwright.runtime.peers.processes import Hear, PeerProcesses
from teamwright.tools.mcp.servers import McpServers
from teamwright.workspace.changes.file_writes import Editor
from teamwright.workspace.files.documents import Documents


@dataclass(frozen=True, slots=True)
class Foundations:
    # Asked again whenever it counts: trust and folders change.
    client_context: Callable[[], ClientContext]
    bus: Bus
    documents: Documents
    # Without one, changes to the user's files are written to disk.
    editor: Editor | None
    mcp: McpServers
    models: Models
    peers: PeerProcesses
    # It is given what must be closed when everything is over.
    closing: AsyncExitStack

    @property
    def state_path(self) -> Path:
        return self.client_context().state_path(os.environ)

    async def listen(self, hear: Hear) -> None:
        """To what other processes write, also while nothing is opened here yet."""
        self.peers.listen(hear)
        await self.peers.settle(self.state_path)

    async def has_open_work(self) -> bool:
        """Whether an earlier process has left anything under way; nothing is opened for the look."""
        return await to_thread.run_sync(_has_open_work, self.state_path)


@asynccontextmanager
async def laid_foundations(
    client_context: Callable[[], ClientContext], documents: Documents, editor: Editor | None
) -> AsyncGenerator[Foundations]:
    """What was opened meanwhile is closed with them, the store first, and other people's servers last."""
    async with AsyncExitStack() as closing:
        # Here and not when they are first needed: a task group is left by the task that entered it.
        mcp = await closing.enter_async_context(McpServers(os.environ))
        models = await closing.enter_async_context(Models(os.environ))
        peers = PeerProcesses()
        closing.push_async_callback(peers.leave)
        yield Foundations(client_context, Bus(), documents, editor, mcp, models, peers, closing)


def _has_open_work(state_path: Path) -> bool:
    if not state_path.exists():
        return False
    from teamwright.store.sqlite import has_open_work  # noqa: PLC0415 - megabytes, and most workspaces have no history

    return has_open_work(state_path)
