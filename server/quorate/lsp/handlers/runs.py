"""The team at work."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import (
    LaunchRunParams,
    OverrideParams,
    OverrideResult,
    RunLaunched,
    RunListParams,
    RunListResult,
    RunOpenResult,
    RunParams,
    SteerParams,
    SteerResult,
)
from quorate.runtime.runs import archive


async def launch_run(desk: Desk, params: LaunchRunParams) -> RunLaunched:
    return await desk.supervisor.launch_run(params, listener=desk.client)


async def override(desk: Desk, params: OverrideParams) -> OverrideResult:
    await desk.attend_to(params.run_id)
    return await desk.supervisor.override(params)


async def steer(desk: Desk, params: SteerParams) -> SteerResult:
    if params.run_id is not None:
        await desk.attend_to(params.run_id)
    else:
        await desk.attend(await desk.supervisor.existing(params.session_id))
    return await desk.supervisor.steer(params)


async def list_runs(desk: Desk, params: RunListParams) -> RunListResult:
    return await archive.list_runs(desk.supervisor, params)


async def open_run(desk: Desk, params: RunParams) -> RunOpenResult:
    return await archive.open_run(desk.supervisor, params)
