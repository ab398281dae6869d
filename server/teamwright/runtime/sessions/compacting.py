"""A compaction because the user wants one. Those that a turn needs are the turn's own."""

from collections.abc import Awaitable, Callable
from functools import partial

from teamwright.engine.session.admission import refusal_of_compaction
from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.models.errors import ModelError
from teamwright.models.port import Model, ModelUsage
from teamwright.protocol.errors import Conflict, UserError
from teamwright.protocol.events import NoticeRaised
from teamwright.protocol.records import Scope
from teamwright.runtime.context.context import Context
from teamwright.runtime.context.summarising import Summarising, compact
from teamwright.runtime.journal import Journal
from teamwright.runtime.sessions.state_cell import SessionStateCell
from teamwright.runtime.sessions.turn import Assistant


class Compacting:
    def __init__(
        self, journal: Journal, context: Context, cell: SessionStateCell, assistant: Callable[[], Assistant]
    ) -> None:
        self._journal = journal
        self._context = context
        self._cell = cell
        self._assistant = assistant
        self._is_under_way = False

    async def begin(self) -> Callable[[], Awaitable[None]]:
        """What is left to do, and takes as long as a model needs. Raises Conflict where it cannot be done now."""
        if (refusal := refusal_of_compaction(self._cell.state, is_under_way=self._is_under_way)) is not None:
            raise refusal
        prepared: tuple[Summarising, Model] | None = None
        self._is_under_way = True
        try:
            prepared = await self._prepared()
        finally:
            self._is_under_way = prepared is not None
        return partial(self._carry_out, *prepared)

    async def _prepared(self) -> tuple[Summarising, Model]:
        try:
            assistant = self._assistant()
            outlook = await self._context.outlook(assistant.model, assistant.specs)
        except ModelError as fault:
            raise Conflict(fault.message) from fault
        due = self._context.compaction(outlook)
        if due is None:
            raise Conflict("This session is too short to be summed up; the model sees all of it as it is.")
        return due, assistant.model

    async def _carry_out(self, due: Summarising, model: Model) -> None:
        reports: list[ModelUsage] = []
        try:
            compaction = await compact(model, due, reports.append)
            spent = sum((Spending(report.usage, report.cost_usd) for report in reports), NOTHING_SPENT)
            figures = {"usage": spent.usage, "cost_usd": spent.cost_usd}
            await self._journal.append(compaction.event.model_copy(update=figures), Scope())
            if compaction.notice is not None:
                self._journal.announce(NoticeRaised(level="warning", text=compaction.notice), Scope())
        except UserError as fault:
            self._journal.announce(NoticeRaised(level="error", text=fault.message), Scope())
        finally:
            self._is_under_way = False
