"""The agents of a run: which attempts are under way, and how each ended."""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import anyio
from anyio.abc import TaskGroup

from quorate.engine.commands import StopAgent, Work
from quorate.engine.spending import Spending
from quorate.models.errors import ModelError
from quorate.protocol.events import StopReason
from quorate.protocol.ids import AgentId
from quorate.runtime.agents.loop import AgentLoop
from quorate.runtime.journal import Journal, Scope

log = logging.getLogger(__name__)

# An attempt that has come to one of these ends itself, in its own good order.
_ITS_OWN_END: frozenset[StopReason] = frozenset({"answered", "voted", "abstained", "finished"})


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
    def spending(self) -> Mapping[AgentId, Spending]:
        """Of the attempts that have not stopped yet."""
        return {agent_id: self._loops[agent_id].spending for agent_id in self._under_way}

    def want(self, works: Iterable[Work]) -> None:
        """Starts the attempts that are not under way; those that are look by themselves at what is wanted of them."""
        for work in works:
            if work.agent_id not in self._under_way:
                under_way = _UnderWay(work.attempt, anyio.CancelScope())
                self._under_way[work.agent_id] = under_way
                self._tasks.start_soon(self._employ, work.agent_id, under_way)

    def stop(self, command: StopAgent) -> bool:
        """The attempt says itself that it has stopped; False where none is under way that could say so."""
        under_way = self._under_way.get(command.agent_id)
        if under_way is None:
            return False
        if under_way.stopped_for is None:
            under_way.stopped_for = command.reason
            if command.reason not in _ITS_OWN_END:
                under_way.cancel.cancel()
        return True

    def is_stopping(self, command: StopAgent) -> bool:
        under_way = self._under_way.get(command.agent_id)
        return under_way is not None and under_way.stopped_for is not None

    async def _employ(self, agent_id: AgentId, under_way: _UnderWay) -> None:
        loop, reason, error = self._loops[agent_id], None, None
        try:
            with under_way.cancel:
                reason = await loop.attempt(under_way.attempt)
        except ModelError as fault:
            reason, error = "failed", fault.message
        except Exception:
            log.exception("The agent %s failed", agent_id)
            reason, error = "failed", "Quorate failed at this agent's work; its log has the details."
        reason = reason or under_way.stopped_for
        if reason is not None and not loop.has_ended(under_way.attempt):
            await self._journal.append(loop.stopped(reason, error), self._scope.of_agent(agent_id))
        del self._under_way[agent_id]
        self._stopped()
