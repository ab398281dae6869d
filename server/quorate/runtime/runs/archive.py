"""Runs as things: those of a session, of a project or of the whole workspace, and one of them in full."""

from dataclasses import dataclass

from quorate.engine.reduce import reduce
from quorate.engine.state import Run, RunState
from quorate.engine.view import view, whole_answers
from quorate.protocol.commands import RunListParams, RunListResult, RunOpenResult, RunParams
from quorate.protocol.errors import NotFound
from quorate.protocol.events import RunFinished
from quorate.protocol.views import RunView
from quorate.runtime.runs.directories import run_directory
from quorate.runtime.supervisor import Supervisor
from quorate.store.port import EventStore, RunPlace, stream


@dataclass(frozen=True, slots=True)
class _Recalled:
    run: Run
    finished: RunFinished | None


async def list_runs(supervisor: Supervisor, params: RunListParams) -> RunListResult:
    """Newest first. No session is opened for it, so that those of another window are listed, too."""
    store = (await supervisor.house()).store
    if params.session_id is not None:
        # Raises NotFound where there is none.
        await store.last_seq(params.session_id)
    places = await store.runs(session_id=params.session_id, project=params.project, limit=params.limit)
    views = [await _view(supervisor, store, place) for place in places]
    return RunListResult(runs=tuple(each for each in views if each is not None))


async def open_run(supervisor: Supervisor, params: RunParams) -> RunOpenResult:
    house = await supervisor.house()
    place = RunPlace(await house.store.find_session(params.run_id), params.run_id)
    recalled = await _recalled(house.store, place)
    if recalled is None:
        raise NotFound(f"Of the run {params.run_id} nothing is left that can be read.")
    return RunOpenResult(
        run=_live_view(supervisor, place) or view(recalled.run),
        answers=whole_answers(recalled.run) if isinstance(recalled.run, RunState) else (),
        result=recalled.finished.result if recalled.finished is not None else None,
        log_dir=str(run_directory(house.state_path, params.run_id)),
    )


async def _view(supervisor: Supervisor, store: EventStore, place: RunPlace) -> RunView | None:
    live = _live_view(supervisor, place)
    if live is not None:
        return live
    recalled = await _recalled(store, place)
    return None if recalled is None else view(recalled.run)


def _live_view(supervisor: Supervisor, place: RunPlace) -> RunView | None:
    """What is being spent at this moment stands in no log."""
    session = supervisor.opened(place.session_id)
    if session is None or place.run_id not in session.state.runs:
        return None
    return session.runs.run(place.run_id).view()


async def _recalled(store: EventStore, place: RunPlace) -> _Recalled | None:
    run: Run | None = None
    finished: RunFinished | None = None
    async for page in stream(store, place.session_id, run_id=place.run_id):
        for record in page.records:
            run = reduce(run, record)
            finished = record.event if isinstance(record.event, RunFinished) else finished
    return None if run is None else _Recalled(run, finished)
