"""The checks of the workspace as they stand now: configured or discovered, and which of them may run."""

from anyio import to_thread

from teamwright.config.settings import Settings
from teamwright.permissions.checks import CheckProposal, JudgedCheck, judge_checks
from teamwright.protocol.checks import CheckDefinition
from teamwright.runtime.checks.discovery import discover
from teamwright.runtime.checks.ticks import RememberedTicks
from teamwright.runtime.services import Services


def configured_checks(settings: Settings) -> tuple[CheckDefinition, ...]:
    return tuple(
        CheckDefinition(
            name=check.name,
            argv=check.argv,
            cwd=check.cwd,
            timeout_seconds=check.timeout_seconds,
            paths=check.paths,
            report=check.report,
            needs=check.needs or None,
            source=check.source,
        )
        for check in settings.checks
    )


async def judged_checks(services: Services) -> tuple[JudgedCheck, ...]:
    """Those that the configuration names; with none of them, what the project looks as if it had."""
    if not services.client_context.trusted:
        return ()
    configured = configured_checks(services.team.settings)
    remembered = await to_thread.run_sync(RememberedTicks(services.state_path).load)
    if configured:
        proposals = tuple(CheckProposal(check) for check in configured)
    else:
        proposals = await to_thread.run_sync(discover, services.live.pinned())
    return judge_checks(proposals, trusted=True, remembered=remembered)
