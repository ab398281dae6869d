"""A run that we could not carry on: it ends with what it has and with the reason, and leaves nothing open."""

import logging
from collections.abc import Iterator
from typing import cast

from quorate.engine.budget import spending
from quorate.engine.results import result_of
from quorate.engine.spending import NOTHING_SPENT
from quorate.engine.state import Attempt, Run, RunState
from quorate.models.errors import ModelError
from quorate.protocol.errors import UserError
from quorate.protocol.events import AgentStopped, NoticeRaised, RunFinished
from quorate.protocol.ids import AgentId
from quorate.protocol.usage import Usage
from quorate.runtime.decisions import Decisions
from quorate.runtime.journal import Journal, Scope

log = logging.getLogger(__name__)

_OUR_FAULT = "Quorate failed at this run; its log has the details."


class RunFailure:
    def __init__(self, fault: Exception) -> None:
        self._reason = next(_sentences(fault), _OUR_FAULT)

    @property
    def is_ours(self) -> bool:
        """A bug, to be logged whole; anything else is a sentence for the user already."""
        return self._reason == _OUR_FAULT

    async def record(self, run: Run | None, journal: Journal, scope: Scope, decisions: Decisions) -> None:
        if run is None or run.finished is not None:
            return
        spent = spending(run) if isinstance(run, RunState) else NOTHING_SPENT
        finished = RunFinished(
            outcome="failed",
            result=result_of(run) if isinstance(run, RunState) else None,
            usage=spent.usage,
            cost_usd=spent.cost_usd,
            error=self._reason,
        )
        try:
            for agent_id, attempt in _attempts(run):
                stopped = AgentStopped(attempt=attempt.number, reason="cancelled", usage=Usage())
                await journal.append(stopped, scope.of_agent(agent_id))
            for decision_id in run.pending:
                await decisions.resolve_unless_answered(decision_id, by="cancelled")
            await journal.append(finished, scope)
        except UserError as fault:
            # The log itself is what fails: all that is left is to say so.
            log.exception("The end of the run could not be recorded")
            text = " ".join(dict.fromkeys((self._reason, fault.message)))
            journal.announce(NoticeRaised(level="error", text=text), scope)


def _attempts(run: Run) -> list[tuple[AgentId, Attempt]]:
    agents = run.agents.values() if isinstance(run, RunState) else ()
    return [(agent.agent_id, agent.attempt) for agent in agents if agent.attempt is not None]


def _sentences(fault: BaseException) -> Iterator[str]:
    """What was meant for users, also among what several tasks raised together."""
    if isinstance(fault, UserError | ModelError):
        yield fault.message
    if isinstance(fault, BaseExceptionGroup):
        for each in cast("BaseExceptionGroup[BaseException]", fault).exceptions:
            yield from _sentences(each)
