"""The agents of a run: which attempts are under way, and how each ended."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import anyio
from anyio.abc import TaskGroup

from quorate.engine.commands import StopAgent, Work
from quorate.engine.spending import NOTHING_SPENT, Spending
from quorate.models.errors import ModelError
from quorate.protocol.events import AgentStopped, StopReason
from quorate.protocol.ids import AgentId
from quorate.protocol.usage import Usage
from quorate.runtime.agents.loop import AgentLoop
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.shielding import shielded

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _UnderWay:
    attempt: int
    cancel: anyio.CancelScope
    stopped_for: StopReason | None = None


class TeamAtWork:
    """`stopped()` is called whenever an agent is free again."""

    def __init__(
        self,
        loops: Mapping[AgentId, AgentLoop],
        journal: Journal,
        scope: Scope,
        tasks: TaskGroup,
        *,
        stopped: Callable[[], None],
    ) -> None:
        self._loops = loops
        self._stopped = stopped
        self._journal = journal
        self._scope = scope
        self._tasks = tasks
        self._under_way: dict[AgentId, _UnderWay] = {}

    @property
    def spending(self) -> Spending:
        """Of the attempts that have not stopped yet."""
        return sum((self._loops[agent_id].spending for agent_id in self._under_way), NOTHING_SPENT)

    def want(self, work: Work) -> None:
        """Starts the attempt, or tells the one under way what is wanted of it now."""
        current = self._under_way.get(work.agent_id)
        if current is None:
            under_way = _UnderWay(work.attempt, anyio.CancelScope())
            self._under_way[work.agent_id] = under_way
            self._tasks.start_soon(self._employ, work, under_way)
        elif current.attempt == work.attempt:
            self._loops[work.agent_id].want(work)

    async def stop(self, command: StopAgent) -> None:
        """The attempt says itself that it has stopped; one of which only the log knows is said to have."""
        under_way = self._under_way.get(command.agent_id)
        if under_way is None:
            stopped = AgentStopped(attempt=command.attempt, reason=command.reason, usage=Usage())
            await self._journal.append(stopped, self._scope.of_agent(command.agent_id))
        elif under_way.stopped_for is None:
            under_way.stopped_for = command.reason
            under_way.cancel.cancel()

    def is_stopping(self, command: StopAgent) -> bool:
        under_way = self._under_way.get(command.agent_id)
        return under_way is not None and under_way.stopped_for is not None

    async def _employ(self, work: Work, under_way: _UnderWay) -> None:
        loop, reason, error = self._loops[work.agent_id], None, None
        try:
            with under_way.cancel:
                reason = await loop.attempt(work)
        except ModelError as fault:
            reason, error = "failed", fault.message
        except Exception:
            log.exception("The agent %s failed", work.agent_id)
            reason, error = "failed", "Quorate failed at this agent's work; its log has the details."
        stopped = AgentStopped(
            attempt=work.attempt,
            reason=reason or under_way.stopped_for or "cancelled",
            error=error,
            usage=loop.spending.usage,
            cost_usd=loop.spending.cost_usd,
        )
        await shielded(self._journal.append(stopped, self._scope.of_agent(work.agent_id)))
        del self._under_way[work.agent_id]
        self._stopped()
