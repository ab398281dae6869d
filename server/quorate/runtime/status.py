"""How things stand, told at once: who would answer, what waits for a person, what may be done."""

from quorate import __version__
from quorate.engine.spending import NOTHING_SPENT
from quorate.models.health import Health
from quorate.protocol.commands import AgentHealth, Limits, StatusResult, Versions
from quorate.protocol.ids import AgentId
from quorate.protocol.names import PROTOCOL_VERSION
from quorate.runtime.supervisor import Supervisor

_NOT_TOLD = "The provider's list does not tell whether this model answers: `quorate check --probe` asks the model."


async def status(supervisor: Supervisor) -> StatusResult:
    """`costUsd` is what the sessions cost that are open in this process; null where a price in it is unknown."""
    house = await supervisor.house()
    # What waits for a person is known only when it was seen what the end of another server has left behind.
    await supervisor.interruptions.asked_about()
    healths = await house.health.read()
    interactive = house.team.settings.orchestrator.interactive_mode
    spent = sum((session.state.spending for session in supervisor.open_sessions), NOTHING_SPENT)
    return StatusResult(
        agents=tuple(_agent_health(name, health) for name, health in healths),
        modes=house.team.default_modes,
        limits=Limits(
            max_active_sessions=interactive.max_active_sessions,
            active_sessions=supervisor.active_sessions,
            idle_minutes=interactive.idle_minutes,
            max_steps=interactive.max_steps,
        ),
        cost_usd=spent.cost_usd,
        decisions=await house.store.open_decisions(),
        trusted=house.premises.trusted,
        versions=Versions(server=__version__, protocol=PROTOCOL_VERSION),
    )


def _agent_health(name: AgentId, health: Health) -> AgentHealth:
    was_asked_in_vain = health.verdict == "unknown" and health.reachable
    return AgentHealth(
        agent_id=name,
        backend=health.provider,
        model=health.model,
        health=health.verdict,
        detail=health.problem or health.version or (_NOT_TOLD if was_asked_in_vain else None),
        latency_ms=None if health.seconds is None else round(health.seconds * 1000, 1),
    )
