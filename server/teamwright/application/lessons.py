"""What can be learned from runs: one analysed, reported on, or run again; the team in all of them."""

from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.protocol import command_table as table
from teamwright.protocol.commands import (
    LaunchRunParams,
    RunAgainParams,
    RunAnalyzeParams,
    RunAnalyzeResult,
    RunLaunched,
    RunReportParams,
    RunReportResult,
    StatsParams,
    StatsResult,
)
from teamwright.protocol.errors import Conflict
from teamwright.protocol.runs import RunSpecEdit
from teamwright.runtime.catalog.past_runs import PastRuns
from teamwright.runtime.runs.repetition import repeated


@carries_out(table.RUN_ANALYZE)
async def analyze_run(context: CommandContext, params: RunAnalyzeParams) -> RunAnalyzeResult:
    """An opinion has been asked for when this returns; `run.analyzed` brings it. Raises Conflict and NotFound."""
    session = await context.supervisor.session_with(params.run_id)
    await context.attend(session)
    ask = await session.lessons.begin_opinion(params.run_id, params.instructions) if params.opinion else None
    if ask is not None:
        context.background.start(ask)
    return RunAnalyzeResult(analysis=await session.lessons.analyse(params.run_id))


@carries_out(table.RUN_AGAIN)
async def run_again(context: CommandContext, params: RunAgainParams) -> RunLaunched:
    """In the run's own session. Raises BadParams where such a run could not go."""
    return await context.supervisor.launch_run(await again_run(context, params), listener=context.client)


async def again_run(context: CommandContext, params: RunAgainParams) -> LaunchRunParams:
    """What to launch for it. Raises NotFound and Conflict."""
    session = await context.supervisor.session_with(params.run_id)
    run = session.runs.run(params.run_id).run
    if run is None:
        raise Conflict("The run has not begun, so there is nothing to repeat.")
    spec = repeated(run.spec, params.changes or RunSpecEdit())
    given = {name: value for name, value in dict(spec).items() if value is not None}
    return LaunchRunParams.model_validate({**given, "session_id": session.session_id, "approval": params.approval})


@carries_out(table.RUN_REPORT)
async def report_run(context: CommandContext, params: RunReportParams) -> RunReportResult:
    return await (await past_runs(context)).report(params)


@carries_out(table.STATS)
async def team_stats(context: CommandContext, params: StatsParams) -> StatsResult:
    return await (await past_runs(context)).stats(params)


async def past_runs(context: CommandContext) -> PastRuns:
    services = await context.services()
    return PastRuns(services.store, services.name_of)
