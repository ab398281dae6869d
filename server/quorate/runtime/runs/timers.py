"""The timers a run wants: armed when they become wanted, disarmed when they no longer are. No polling."""

from collections.abc import Awaitable, Callable, Iterable

import anyio
from anyio.abc import TaskGroup

from quorate.engine.commands import ArmTimer
from quorate.protocol.events import TimerName
from quorate.protocol.ids import AgentId
from quorate.runtime.identity import now

_Key = tuple[TimerName, AgentId | None, int | None]


class Timers:
    def __init__(self, tasks: TaskGroup, elapsed: Callable[[ArmTimer], Awaitable[None]]) -> None:
        self._tasks = tasks
        self._elapsed = elapsed
        self._armed: dict[_Key, tuple[ArmTimer, anyio.CancelScope]] = {}

    def keep(self, wanted: Iterable[ArmTimer]) -> None:
        by_key: dict[_Key, ArmTimer] = {(timer.timer, timer.agent_id, timer.attempt): timer for timer in wanted}
        for key, (timer, scope) in tuple(self._armed.items()):
            if by_key.get(key) != timer:
                scope.cancel()
                del self._armed[key]
        for key, timer in by_key.items():
            if key not in self._armed:
                scope = anyio.CancelScope()
                self._armed[key] = (timer, scope)
                self._tasks.start_soon(self._wait, timer, scope)

    async def _wait(self, timer: ArmTimer, scope: anyio.CancelScope) -> None:
        with scope:
            await anyio.sleep((timer.due_at - now()).total_seconds())
            await self._elapsed(timer)
