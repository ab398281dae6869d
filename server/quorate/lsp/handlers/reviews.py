"""What code actions ask for, and what becomes of findings."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import CodeActionParams, FindingDismissParams, FindingDismissResult, RunLaunched
from quorate.runtime.reviews.dismissing import dismiss
from quorate.runtime.reviews.errands import launch_errand


async def review(desk: Desk, params: CodeActionParams) -> RunLaunched:
    return await launch_errand(desk.supervisor, "review", params, desk.client)


async def explain(desk: Desk, params: CodeActionParams) -> RunLaunched:
    return await launch_errand(desk.supervisor, "explain", params, desk.client)


async def fix(desk: Desk, params: CodeActionParams) -> RunLaunched:
    return await launch_errand(desk.supervisor, "fix", params, desk.client)


async def test(desk: Desk, params: CodeActionParams) -> RunLaunched:
    return await launch_errand(desk.supervisor, "test", params, desk.client)


async def dismiss_findings(desk: Desk, params: FindingDismissParams) -> FindingDismissResult:
    for finding_id in params.finding_ids:
        await desk.attend_to(finding_id)
    return await dismiss(desk.supervisor, params)
