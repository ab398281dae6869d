"""Everything a session stands on: the log's store, the team, the files. Opened once, when first needed."""

import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from quorate.config.backends import backends_of
from quorate.models.factory import Models
from quorate.protocol.events import NoticeRaised
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Bus
from quorate.runtime.health_board import HealthBoard
from quorate.runtime.identity import now
from quorate.runtime.premises import Premises
from quorate.runtime.team import Team, load_settings
from quorate.store.locks import Owner
from quorate.store.port import EventStore
from quorate.store.sqlite import SqliteStore
from quorate.tools.mcp.servers import McpServers
from quorate.workspace.applying import Applier
from quorate.workspace.documents import Documents
from quorate.workspace.editor import Editor
from quorate.workspace.live_files import LiveFiles


@dataclass(frozen=True, slots=True)
class House:
    # As of now: folders are opened and closed, and trust is given, while we work.
    get_premises: Callable[[], Premises]
    bus: Bus
    store: EventStore
    team: Team
    live: LiveFiles
    applier: Applier
    mcp: McpServers
    health: HealthBoard
    # Where the files of the workspace's runs lie: scratch folders, answers, change sets.
    state_path: Path
    tasks: TaskGroup

    @property
    def premises(self) -> Premises:
        return self.get_premises()


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

    async def __aenter__(self) -> Self:
        await self._stack.__aenter__()
        # Here and not with the rest: a task group is left by the task that entered it.
        await self._stack.enter_async_context(self._mcp)
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

    async def _open(self, tasks: TaskGroup) -> House:
        premises = self._premises()
        settings = await to_thread.run_sync(load_settings, premises)
        state_path = premises.state_path(os.environ)
        store = await SqliteStore.open(state_path, Owner.this_process(premises.editor))
        self._stack.push_async_callback(store.close)
        if store.notice is not None:
            notice = NoticeRaised(level="warning", text=store.notice)
            self._bus.publish(EventRecord(seq=None, at=now(), session_id=None, event=notice))
        models = await self._stack.enter_async_context(Models(os.environ))
        live = LiveFiles(lambda: self._premises().folders, self._documents)
        return House(
            get_premises=self._premises,
            bus=self._bus,
            store=store,
            team=Team(settings, models),
            live=live,
            applier=Applier(live, self._editor),
            mcp=self._mcp,
            health=HealthBoard(models, backends_of(settings, os.environ), tasks),
            state_path=state_path,
            tasks=tasks,
        )
