"""Findings that the user wants to see no more."""

from quorate.protocol.commands import FindingDismissParams, FindingDismissResult
from quorate.runtime.supervisor import Supervisor


async def dismiss(supervisor: Supervisor, params: FindingDismissParams) -> FindingDismissResult:
    """Raises NotFound before anything is written."""
    sessions = [await supervisor.session_with(finding_id) for finding_id in params.finding_ids]
    for session in {session.session_id: session for session in sessions}.values():
        of_it = [finding_id for finding_id, at in zip(params.finding_ids, sessions, strict=True) if at is session]
        await session.dismiss(of_it)
    return FindingDismissResult(dismissed=params.finding_ids)
