"""Fix until green: what the project's own checks say now becomes the task of a run."""

from collections.abc import Sequence

from teamwright.application.context import CommandContext
from teamwright.permissions.paths import render_path
from teamwright.permissions.rules import whole_workspace
from teamwright.prompts.code_actions import checks_task, checks_to_fix
from teamwright.protocol.commands import LaunchRunParams
from teamwright.protocol.ids import SessionId
from teamwright.protocol.runs import ContextPath
from teamwright.runtime.checks.failing import failing_checks
from teamwright.runtime.runs.questions import assistant_rules


async def fix_run(
    context: CommandContext,
    names: Sequence[str],
    wishes: str | None = None,
    *,
    session_id: SessionId | None = None,
    on_card: bool = True,
) -> LaunchRunParams:
    """Without names: all the checks that fail. Raises NotFound where there is nothing to fix, and NotPermitted."""
    services = await context.services()
    modes = services.team.default_modes
    if session_id is not None:
        modes = (await context.supervisor.existing(session_id)).state.modes
    found = await failing_checks(services, assistant_rules(services, modes), names, on_card=on_card)
    to_run = [check.name for check in found.left_to_card]
    places = services.client_context.folders.places
    return LaunchRunParams(
        task=checks_task([*(told.check.name for told in found.failing), *to_run], wishes),
        context=checks_to_fix(found.failing, to_run),
        context_paths=tuple(
            ContextPath(path=render_path(root, places), permission="write") for root in whole_workspace(places).read
        ),
        checks=found.all_names,
        checks_policy="require",
        session_id=session_id,
    )
