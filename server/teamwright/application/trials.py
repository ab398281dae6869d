"""A run on a repository that is only there to be judged by: what an evaluation launches."""

from anyio import to_thread

from teamwright.application.context import CommandContext
from teamwright.application.reviews import ReviewPlace, review_run
from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.commands import LaunchRunParams
from teamwright.runtime.checks.proposals import judged_checks
from teamwright.runtime.checks.ticks import RememberedTicks


async def trial_run(context: CommandContext, wishes: str, *, check_name: str) -> LaunchRunParams:
    """Review and mend the whole workspace. Whoever evaluates has said yes to the check of the task: it runs unasked,
    and no check that the user has for other work runs beside it.

    Raises UserError where there is nothing to look at.
    """
    services = await context.services()
    checks = [judged.check for judged in await judged_checks(services) if judged.check.name == check_name]
    ticks = RememberedTicks(services.state_path)
    await to_thread.run_sync(lambda: ticks.remember(checks, ticked=True))
    folder = services.client_context.folders.folders[0]
    place = ReviewPlace(WorkspacePath(folder.name, ()), is_directory=True)
    params = await review_run(context, [place], None, wishes, may_fix=True)
    return params.model_copy(update={"checks": tuple(check.name for check in checks), "checks_policy": "prefer"})
