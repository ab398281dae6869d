"""How things stand, told at once: who would answer, what waits for a person, what may be done."""

from teamwright import __version__
from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.engine.spending import NOTHING_SPENT
from teamwright.models.health import Health
from teamwright.protocol.command_table import STATUS
from teamwright.protocol.commands import AgentHealth, Limits, NoParams, StatusResult, Versions
from teamwright.protocol.ids import AgentId
from teamwright.protocol.names import PROTOCOL_VERSION

_NOT_TOLD = "The provider's list does not tell whether this model answers: `teamwright check --probe` asks the model."


@carries_out(STATUS)
async def status(context: CommandContext, _params: NoParams) -> StatusResult:
    """`costUsd` is what the sessions cost that are open in this process; null where a price in it is unknown."""
    supervisor, services = context.supervisor, await context.services()
    # What waits for a person is known when it was seen what the end of another server has left behind.
    await supervisor.recovery.wait()
    healths = await services.health.read()
    interactive = services.team.settings.orchestrator.interactive_mode
    spent = sum((session.state.account.settled for session in supervisor.open_sessions), NOTHING_SPENT)
    return StatusResult(
        agents=tuple(_agent_health(name, health) for name, health in healths),
        modes=services.team.default_modes,
        limits=Limits(
            max_active_sessions=interactive.max_active_sessions,
            active_sessions=supervisor.active_sessions,
            idle_minutes=interactive.idle_minutes,
            max_steps=interactive.max_steps,
        ),
        cost_usd=spent.cost_usd,
        decisions=await services.store.open_decisions(),
        trusted=services.client_context.trusted,
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
