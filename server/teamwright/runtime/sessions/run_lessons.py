"""What is to be learned from a run of the session: put down in its log, with a model's view if wanted."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import anyio

from teamwright.engine.analysis.analysis import analyse
from teamwright.engine.report.markdown import as_markdown
from teamwright.engine.report.sections import run_report
from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.models.errors import ModelError
from teamwright.models.port import Deadlines, ModelRequest, ModelUsage, UserPrompt
from teamwright.prompts.second_opinion import SECOND_OPINION_SYSTEM, second_opinion_request
from teamwright.protocol.errors import Conflict, UserError
from teamwright.protocol.events import NoticeRaised, RunAnalyzed
from teamwright.protocol.ids import RunId
from teamwright.protocol.records import Scope
from teamwright.protocol.views import RunAnalysis
from teamwright.runtime.catalog.past_runs import PastRuns
from teamwright.runtime.context.one_answer import one_answer
from teamwright.runtime.journal import Journal
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.turn import Assistant

_DEADLINES: Final = Deadlines(connect=10, first_byte=60, idle=30, whole=180)


class RunLessons:
    def __init__(self, services: Services, journal: Journal, assistant: Callable[[], Assistant]) -> None:
        self._services = services
        self._journal = journal
        self._assistant = assistant
        # Runs of which a model is being asked.
        self._asked = set[RunId]()

    async def analyse(self, run_id: RunId) -> RunAnalysis:
        """It is in the log when this returns. Raises Conflict where the run is not over, or never began."""
        analysis = analyse(await self._runs.run(run_id))
        await self._journal.append(RunAnalyzed(analysis=analysis), Scope(run_id=run_id))
        return analysis

    async def begin_opinion(self, run_id: RunId, wishes: str | None) -> Callable[[], Awaitable[None]]:
        """What is left to do, and takes as long as a model needs. Raises Conflict where no model can be asked now."""
        if run_id in self._asked:
            raise Conflict("A second opinion on this run is on its way already.")
        try:
            assistant = self._assistant()
        except ModelError as fault:
            raise Conflict(fault.message) from fault
        past = await self._runs.run(run_id)
        report = as_markdown(run_report(past, self._services.name_of))
        request = ModelRequest(
            messages=(UserPrompt(second_opinion_request(report, wishes)),),
            system=SECOND_OPINION_SYSTEM,
            deadlines=_DEADLINES,
        )
        self._asked.add(run_id)
        return partial(self._ask, assistant, run_id, analyse(past), request)

    async def _ask(self, assistant: Assistant, run_id: RunId, analysis: RunAnalysis, request: ModelRequest) -> None:
        scope = Scope(run_id=run_id)
        reports: list[ModelUsage] = []
        try:
            if not await assistant.may_call(scope):
                return
            with anyio.fail_after(_DEADLINES.whole):
                said = await one_answer(assistant.model, request, reports.append)
            if not said:
                raise Conflict("The model had nothing to say of this run.")
            spent = sum((Spending(report.usage, report.cost_usd) for report in reports), NOTHING_SPENT)
            told = RunAnalyzed(analysis=analysis, opinion=said, usage=spent.usage, cost_usd=spent.cost_usd)
            await self._journal.append(told, scope)
        except (UserError, ModelError) as fault:
            self._journal.announce(NoticeRaised(level="error", text=fault.message), scope)
        except TimeoutError:
            text = "The model took too long for a second opinion; ask once more, or another model."
            self._journal.announce(NoticeRaised(level="error", text=text), scope)
        finally:
            self._asked.discard(run_id)

    @property
    def _runs(self) -> PastRuns:
        return PastRuns(self._services.store, self._services.name_of)
