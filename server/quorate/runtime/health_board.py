"""How the team's backends are, as far as it is known: reading it is instant and spends nothing."""

from collections.abc import Sequence
from math import inf
from typing import Final

import anyio
from anyio.abc import TaskGroup

from quorate.config.backends import Backend
from quorate.models.factory import Models
from quorate.models.health import Health, health_of, not_yet_known
from quorate.protocol.ids import AgentId

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
