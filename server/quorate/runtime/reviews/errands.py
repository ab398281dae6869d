"""Reviewing, explaining, fixing and testing with the team: an editor's action becomes a run."""

from collections.abc import Sequence

from quorate.prompts.errands import Errand, errand_task
from quorate.protocol.commands import CodeActionParams, RunLaunched
from quorate.protocol.errors import BadParams, FieldError
from quorate.protocol.findings import AgreedFinding
from quorate.protocol.ids import FindingId, SessionId
from quorate.protocol.runs import RunSpec
from quorate.runtime.bus import Listener
from quorate.runtime.reviews.material import context_paths, gather
from quorate.runtime.runs.desk import Request
from quorate.runtime.supervisor import Supervisor


async def launch_errand(
    supervisor: Supervisor, errand: Errand, params: CodeActionParams, listener: Listener
) -> RunLaunched:
    house = await supervisor.house()
    findings, home = await _findings(supervisor, params.finding_ids or ())
    material = await gather(house, errand, params, findings)
    spec = RunSpec(
        task=errand_task(errand, material.what, params.instructions),
        context=material.context,
        context_paths=context_paths(house, material),
        review=errand == "review",
    )
    return await supervisor.launch(
        Request(by_user=(spec,)), params.session_id or home, listener, about=spec.task.partition("\n")[0]
    )


async def _findings(
    supervisor: Supervisor, finding_ids: Sequence[FindingId]
) -> tuple[list[AgreedFinding], SessionId | None]:
    """And the session in which they were found. Raises NotFound, and BadParams where they are of several sessions."""
    sessions = {
        session.session_id: session
        for session in [await supervisor.session_with(finding_id) for finding_id in finding_ids]
    }
    if len(sessions) > 1:
        raise BadParams([FieldError(path="findingIds", message="are of several sessions; take those of one")])
    for session_id, session in sessions.items():
        return session.state.findings_called(finding_ids), session_id
    return [], None
