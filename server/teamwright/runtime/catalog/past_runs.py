"""What can be known of runs that are over, from the store alone: no session is opened for it."""

from collections.abc import AsyncIterator, Callable

from anyio import to_thread

from teamwright.engine.analysis.analysis import analyse
from teamwright.engine.analysis.history import PastRun, RunHistory, past_run
from teamwright.engine.analysis.team_stats import stats_table, team_stats
from teamwright.engine.report.markdown import as_markdown, parts_as_markdown
from teamwright.engine.report.page import as_page
from teamwright.engine.report.sections import run_report
from teamwright.engine.transcript.words import counted
from teamwright.protocol.commands import RunReportParams, RunReportResult, StatsParams, StatsResult
from teamwright.protocol.errors import Conflict, NotFound
from teamwright.protocol.events import RunAnalyzed
from teamwright.protocol.ids import RunId
from teamwright.protocol.views import RunAnalysis
from teamwright.runtime.catalog.key_scan import warnings_about, without_keys
from teamwright.store.port import EventStore, RunPlace, stream


class PastRuns:
    """`name_of`: how people name the file of a URI."""

    def __init__(self, store: EventStore, name_of: Callable[[str], str]) -> None:
        self._store = store
        self._name_of = name_of

    async def latest(self) -> RunId:
        """The latest that took place and is over. Raises NotFound."""
        async for past in self._past(StatsParams()):
            return past.run.run_id
        raise NotFound("There is no finished run in this workspace yet.")

    async def run(self, run_id: RunId) -> PastRun:
        """Raises NotFound, and Conflict where it is not over or never began."""
        return (await self._opened(run_id))[0]

    async def analysis(self, run_id: RunId) -> RunAnalysis:
        return analyse(await self.run(run_id))

    async def report(self, params: RunReportParams) -> RunReportResult:
        past, opinion = await self._opened(params.run_id)
        report = run_report(past, self._name_of, opinion)
        text = await to_thread.run_sync(as_page if params.format == "html" else as_markdown, report)
        name = f"teamwright-report-{past.run.started_at:%Y%m%d-%H%M%S}.{'html' if params.format == 'html' else 'md'}"
        if params.mask:
            return RunReportResult(text=await to_thread.run_sync(without_keys, text), name=name)
        return RunReportResult(text=text, name=name, warnings=await to_thread.run_sync(warnings_about, text))

    async def stats(self, params: StatsParams) -> StatsResult:
        runs = [past async for past in self._past(params)]
        stats = team_stats(runs)
        if not runs:
            return StatsResult(runs=0, agents=(), text="There are no finished runs yet.\n")
        table = "\n\n".join(parts_as_markdown((stats_table(stats),)))
        text = f"# The team in {counted(len(runs), 'run')}\n\n{table}\n"
        return StatsResult(runs=len(runs), agents=stats, text=text)

    async def _past(self, params: StatsParams) -> AsyncIterator[PastRun]:
        """Newest first; what is not over, or never began, is passed over."""
        for place in await self._store.runs(project=params.project, limit=params.limit):
            history, _ = await self._history(place)
            try:
                yield past_run(history)
            except Conflict:
                continue

    async def _opened(self, run_id: RunId) -> tuple[PastRun, str | None]:
        history, opinion = await self._history(RunPlace(await self._store.find_session(run_id), run_id))
        if history.run is None:
            raise NotFound("Of this run nothing is left that can be read.")
        return past_run(history), opinion

    async def _history(self, place: RunPlace) -> tuple[RunHistory, str | None]:
        """With what a model has said of it, if one was asked."""
        history, opinion = RunHistory(), None
        async for page in stream(self._store, place.session_id, run_id=place.run_id):
            for record in page.records:
                history.fold(record)
                if isinstance(record.event, RunAnalyzed):
                    opinion = record.event.opinion or opinion
        return history, opinion
