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

from quorate.models.factory import Models
from quorate.protocol.errors import UserError
from quorate.protocol.events import NoticeRaised
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Bus
from quorate.runtime.health_board import HealthBoard
from quorate.runtime.identity import now
from quorate.runtime.neighbours import Hear, Neighbours
from quorate.runtime.premises import Premises
from quorate.runtime.runs.directories import remove_directories
from quorate.runtime.staff import Staff, Staffing
from quorate.runtime.team import Team
from quorate.store.locks import Owner
from quorate.store.port import EventStore
from quorate.store.sqlite import SqliteStore
from quorate.tools.mcp.servers import McpServers
from quorate.workspace.applying import Applier
from quorate.workspace.documents import Documents
from quorate.workspace.editor import Editor
from quorate.workspace.live_files import LiveFiles

# How long a deleted session can be brought back.
_DELETED_ARE_KEPT: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class House:
    # As of now: folders are opened and closed, trust is given, and settings are changed, while we work.
    get_premises: Callable[[], Premises]
    get_staff: Callable[[], Staff]
    bus: Bus
    store: EventStore
    live: LiveFiles
    applier: Applier
    mcp: McpServers
    # Where the files of the workspace's runs lie: scratch folders, answers, change sets.
    state_path: Path
    tasks: TaskGroup

    @property
    def premises(self) -> Premises:
        return self.get_premises()

    @property
    def team(self) -> Team:
        return self.get_staff().team

    @property
    def health(self) -> HealthBoard:
        return self.get_staff().health

    def as_it_stands(self) -> "House":
        """For what keeps the trust and the team that it began with, whatever is changed meanwhile."""
        premises, staff = self.premises, self.get_staff()
        return replace(self, get_premises=lambda: premises, get_staff=lambda: staff)


class HouseKeeper:
    """An async context manager: what was opened is closed with it, the store last."""

    def __init__(
        self, premises: Callable[[], Premises], bus: Bus, documents: Documents, editor: Editor | None = None
    ) -> None:
        """Without an editor, changes to the user's files are written to disk."""
        self._premises = premises
        self._bus = bus
        self._documents = documents
        self._editor = editor
        self._stack = AsyncExitStack()
        self._mcp = McpServers(os.environ)
        self._opening = anyio.Lock()
        self._house: House | None = None
        self._models = Models(os.environ)
        self._staffing: Staffing | None = None
        self._neighbours = Neighbours()

    async def __aenter__(self) -> Self:
        await self._stack.__aenter__()
        # Here and not with the rest: a task group is left by the task that entered it.
        await self._stack.enter_async_context(self._mcp)
        await self._stack.enter_async_context(self._models)
        self._stack.push_async_callback(self._neighbours.leave)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)

    async def house(self, tasks: TaskGroup) -> House:
        """Raises what a user must mend first: a faulty configuration, a state directory that cannot be written."""
        async with self._opening:
            if self._house is None:
                self._house = await self._open(tasks)
            return self._house

    async def listen(self, hear: Hear) -> None:
        """To what other processes write, also while nothing is opened here yet."""
        self._neighbours.listen(hear)
        await self._neighbours.settle(self._premises().state_path(os.environ))

    async def renew(self) -> None:
        """Trust or the configuration has changed. Raises BadParams where it has faults now."""
        async with self._opening:
            if self._staffing is not None:
                await self._staffing.renew()

    async def _open(self, tasks: TaskGroup) -> House:
        premises = self._premises()
        staffing = Staffing(self._models, self._premises, self._bus, tasks)
        await staffing.renew()
        state_path = premises.state_path(os.environ)
        store = await SqliteStore.open(state_path, Owner.this_process(premises.editor))
        self._stack.push_async_callback(store.close)
        if store.notice is not None:
            notice = NoticeRaised(level="warning", text=store.notice)
            self._bus.publish(EventRecord(seq=None, at=now(), session_id=None, event=notice))
        with suppress(UserError):
            # Where nothing can be written just now, it has time.
            purged = await store.purge(now() - _DELETED_ARE_KEPT)
            await to_thread.run_sync(remove_directories, state_path, purged.runs)
        await self._neighbours.settle(state_path)
        self._bus.tell_neighbours_by(self._neighbours.tell)
        tasks.start_soon(self._neighbours.keep_telling)
        self._staffing = staffing
        live = LiveFiles(lambda: self._premises().folders, self._documents)
        return House(
            get_premises=self._premises,
            get_staff=lambda: staffing.current,
            bus=self._bus,
            store=store,
            live=live,
            applier=Applier(live, self._editor),
            mcp=self._mcp,
            state_path=state_path,
            tasks=tasks,
        )
