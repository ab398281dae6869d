"""Who works here, by trust and configuration as they are now, and how their backends are, as far as it is known."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from teamwright.config.backends import Backend, backends_of
from teamwright.config.problems import Problem
from teamwright.config.settings import Settings
from teamwright.models.factory import Models
from teamwright.models.health import Health, health_of, not_yet_known
from teamwright.protocol.errors import BadParams
from teamwright.protocol.events import NoticeRaised
from teamwright.protocol.ids import AgentId
from teamwright.protocol.records import EventRecord
from teamwright.runtime.bus import Bus
from teamwright.runtime.client_context import ClientContext
from teamwright.runtime.identity import now
from teamwright.runtime.team import Team, are_still_own, discovered_settings, load_settings

FRESH_SECONDS: Final = 60.0
# Most of those that are near answer within it, and nobody notices it.
_PATIENCE_SECONDS: Final = 0.05


class HealthBoard:
    """Whoever reads it has the backends looked at anew, in the background, when the last look was long ago."""

    def __init__(self, models: Models, backends: Sequence[tuple[AgentId, Backend]], tasks: TaskGroup) -> None:
        self._models = models
        self._backends = backends
        self._tasks = tasks
        self._known = [(name, not_yet_known(backend)) for name, backend in backends]
        self._looked_at = -inf
        self._seen = anyio.Event()

    async def read(self) -> Sequence[tuple[AgentId, Health]]:
        if anyio.current_time() - self._looked_at > FRESH_SECONDS:
            self._looked_at = anyio.current_time()
            self._seen = anyio.Event()
            self._tasks.start_soon(self._look)
        with anyio.move_on_after(_PATIENCE_SECONDS):
            await self._seen.wait()
        return tuple(self._known)

    async def _look(self) -> None:
        async with anyio.create_task_group() as looking:
            for place in range(len(self._backends)):
                looking.start_soon(self._look_at, place)
        self._seen.set()

    async def _look_at(self, place: int) -> None:
        name, backend = self._backends[place]
        self._known[place] = (name, await health_of(self._models, backend, may_spend=False))


@dataclass(frozen=True, slots=True)
class LoadedTeam:
    """Replaced as a whole, so that nobody sees half of a change."""

    team: Team
    health: HealthBoard


class TeamReloader:
    def __init__(self, models: Models, client_context: Callable[[], ClientContext], bus: Bus, tasks: TaskGroup) -> None:
        self._models = models
        self._client_context = client_context
        self._bus = bus
        self._tasks = tasks
        self._loaded: LoadedTeam | None = None
        self._was_trusted = False
        self._own_files: frozenset[Path] = frozenset()
        self._told: set[str] = set()

    @property
    def current(self) -> LoadedTeam:
        if self._loaded is None:
            raise RuntimeError("nobody works here before the configuration is read")
        return self._loaded

    async def renew(self) -> None:
        """For the next turn, and the next run.

        Raises BadParams where the configuration has faults: then what was in force stays so, unless the trust it was
        read with is gone, or what was the user's own file lies in a folder that was opened since.
        """
        client_context = self._client_context()
        try:
            configured = await to_thread.run_sync(load_settings, client_context)
        except BadParams:
            is_own = await to_thread.run_sync(are_still_own, self._own_files, client_context)
            if not is_own or (self._was_trusted and not client_context.trusted):
                self._employ(await to_thread.run_sync(discovered_settings), client_context)
            raise
        self._employ(configured.settings, client_context)
        self._own_files = configured.own_files
        self._tell(configured.warnings)

    def _employ(self, settings: Settings, client_context: ClientContext) -> None:
        team = Team(settings, self._models) if self._loaded is None else self._loaded.team.renewed(settings)
        health = HealthBoard(self._models, backends_of(settings, os.environ), self._tasks)
        self._loaded = LoadedTeam(team, health)
        self._was_trusted = client_context.trusted

    def _tell(self, warnings: Sequence[Problem]) -> None:
        """Each once: what a file says is the same every time it is read."""
        for text in dict.fromkeys(str(warning) for warning in warnings if str(warning) not in self._told):
            self._told.add(text)
            notice = NoticeRaised(level="warning", text=text)
            self._bus.publish(EventRecord(seq=None, at=now(), session_id=None, event=notice))
