"""The team at work: a run is launched, and runs are looked at: those of a session, of a project or of the whole
workspace, and one of them in full."""

from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.engine.run.reduce import reduce
from teamwright.engine.run.state import Run, RunState
from teamwright.engine.run.view import view, whole_answers
from teamwright.engine.transcript.follower import TranscriptFollower
from teamwright.engine.transcript.run import RunTranscript
from teamwright.protocol import command_table as table
from teamwright.protocol.commands import (
    LaunchRunParams,
    PlanExecuteParams,
    RunContinueParams,
    RunLaunched,
    RunListParams,
    RunListResult,
    RunOpenResult,
    RunParams,
    RunResumed,
)
from teamwright.protocol.errors import NotFound, Reserved
from teamwright.protocol.events import RunFinished
from teamwright.protocol.ids import ItemId
from teamwright.protocol.views import RunView
from teamwright.runtime.runs.files import run_directory
from teamwright.runtime.sessions.supervisor import Supervisor
from teamwright.store.port import EventStore, RunPlace, stream


@carries_out(table.LAUNCH_RUN)
async def launch_run(context: CommandContext, params: LaunchRunParams) -> RunLaunched:
    """It is on disk when this returns; without a session, one is begun with it.

    Raises BadParams where the run could not go, LimitReached where too many sessions are at work, and Reserved where
    it is to go on other machines.
    """
    if params.where == "workers":
        raise Reserved("There are no workers on other machines in this version; leave `where` out to run it here.")
    return await context.supervisor.launch_run(params, listener=context.client)


@carries_out(table.RUN_CONTINUE)
async def continue_run(context: CommandContext, params: RunContinueParams) -> RunLaunched:
    """Another run of the same agents, with their conversations, answers and changes, and a new instruction."""
    return await context.supervisor.continue_run(params, listener=context.client)


@carries_out(table.RUN_RESUME)
async def resume_run(context: CommandContext, params: RunParams) -> RunResumed:
    return await context.supervisor.resume_run(params, listener=context.client)


@carries_out(table.PLAN_EXECUTE)
async def execute_plan(context: CommandContext, params: PlanExecuteParams) -> RunLaunched:
    """What is left of a plan, or some tasks of it. Raises Conflict where there is none, or it is still at work."""
    return await context.supervisor.carry_out_plan(params, listener=context.client)


@carries_out(table.RUN_LIST)
async def list_runs(context: CommandContext, params: RunListParams) -> RunListResult:
    """Newest first. No session is opened for it, so that those of another window are listed, too."""
    store = (await context.services()).store
    if params.session_id is not None:
        # Raises NotFound where there is none.
        await store.last_seq(params.session_id)
    places = await store.runs(session_id=params.session_id, project=params.project, limit=params.limit)
    views = [await _view(context.supervisor, store, place) for place in places]
    return RunListResult(runs=tuple(each for each in views if each is not None))


@carries_out(table.RUN_OPEN)
async def open_run(context: CommandContext, params: RunParams) -> RunOpenResult:
    services = await context.services()
    place = RunPlace(await services.store.find_session(params.run_id), params.run_id)
    transcript = RunTranscript(place.run_id, services.name_of)
    finished: RunFinished | None = None
    last_known = -1
    # What became a fact while we read is read, too.
    while (last_seq := _last_seq(context.supervisor, place)) != last_known:
        last_known = last_seq
        async for page in stream(services.store, place.session_id, after=transcript.last_seq, run_id=place.run_id):
            for record in page.records:
                transcript.fold(record)
                finished = record.event if isinstance(record.event, RunFinished) else finished
    run = transcript.run
    if run is None:
        raise NotFound(f"Of the run {params.run_id} nothing is left that can be read.")
    _catch_up(context.supervisor, place, transcript)
    services.bus.subscribe(context.client, place.session_id)
    if context.transcripts is not None:
        drawn = context.transcripts.opened_run(place.session_id, place.run_id, transcript)
    else:
        drawn = TranscriptFollower(transcript.entries).opened()
    return RunOpenResult(
        run=_live_view(context.supervisor, place) or view(run),
        answers=whole_answers(run) if isinstance(run, RunState) else (),
        result=finished.result if finished is not None else None,
        execution=finished.execution if finished is not None else None,
        log_dir=str(run_directory(services.state_path, params.run_id)),
        transcript=drawn,
    )


def _last_seq(supervisor: Supervisor, place: RunPlace) -> int:
    session = supervisor.opened(place.session_id)
    return 0 if session is None else session.state.last_seq


def _catch_up(supervisor: Supervisor, place: RunPlace, transcript: RunTranscript) -> None:
    """With what its agents are saying at this moment."""
    session = supervisor.opened(place.session_id)
    if session is not None:
        for text in transcript.growing():
            text.catch_up(session.cell.text_so_far(ItemId(text.entry_id)))


async def _view(supervisor: Supervisor, store: EventStore, place: RunPlace) -> RunView | None:
    live = _live_view(supervisor, place)
    if live is not None:
        return live
    run: Run | None = None
    async for page in stream(store, place.session_id, run_id=place.run_id):
        for record in page.records:
            run = reduce(run, record)
    return None if run is None else view(run)


def _live_view(supervisor: Supervisor, place: RunPlace) -> RunView | None:
    """What is being spent at this moment stands in no log."""
    session = supervisor.opened(place.session_id)
    if session is None or place.run_id not in session.cell.runs:
        return None
    return session.runs.run(place.run_id).view()
