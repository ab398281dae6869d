"""A turn that goes straight to the team: no model is asked before the run, and its result is the answer."""

from typing import Any, Literal

from teamwright.engine.session.state import TurnState
from teamwright.engine.transcript.carried_out import carried_out
from teamwright.models.port import ModelToolCall
from teamwright.protocol.errors import Conflict
from teamwright.protocol.events import ItemFinished, ItemStarted, RunFinished
from teamwright.protocol.ids import ItemId, RunId
from teamwright.protocol.items import Presentation
from teamwright.protocol.modes import Modes
from teamwright.protocol.views import RunResult
from teamwright.runtime.context.context import Context
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.journal import Journal
from teamwright.runtime.runs.questions import assistant_rules
from teamwright.runtime.runs.requests import attached_text
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.run_launcher import SessionRunLauncher
from teamwright.runtime.sessions.turn import Turn
from teamwright.tools.assistant import LaunchRunTool
from teamwright.tools.dispatcher import Dispatcher, ask_nobody
from teamwright.tools.port import Failed


class TeamTurn:
    def __init__(
        self, turn: Turn, *, services: Services, journal: Journal, context: Context, lead: SessionRunLauncher
    ) -> None:
        self._turn = turn
        self._services = services
        self._journal = journal
        self._context = context
        self._lead = lead

    async def answer(self, modes: Modes, log: TurnState) -> Literal["completed", "cancelled"]:
        """`log`: what there is of it from before a restart. Raises Conflict with the reason where the run could not
        start, or failed."""
        run_id = log.run_id or await self._launched(modes)
        ended = self._context.end_of(run_id)
        if ended is None:
            raise RuntimeError(f"the run {run_id} was followed to its end and has none")
        if ended.outcome == "failed":
            raise Conflict(ended.error or "The run failed.")
        if ended.result is None:
            return "cancelled"
        if not log.is_presented:
            item = Presentation(item_id=ItemId(fresh_id("item")), text=_came_to(ended, ended.result))
            await self._journal.append_together((ItemStarted(item=item), ItemFinished(item=item)), self._turn.scope)
        return "completed"

    async def _launched(self, modes: Modes) -> RunId:
        """Recorded as a call of `launch_run`, so that the assistant knows of it in later turns."""
        dispatcher = Dispatcher(assistant_rules(self._services, modes), (LaunchRunTool(self._lead),), ask_nobody)
        arguments: dict[str, Any] = {"task": self._turn.asked.text}
        if self._turn.asked.attachments:
            arguments["context"] = await attached_text(self._services, self._turn.asked.attachments)
        call = ModelToolCall(fresh_id("item"), LaunchRunTool.name, arguments)
        outcome = await self._turn.recorder.carried_out(call, dispatcher)
        if isinstance(outcome, Failed) or self._lead.latest is None:
            raise Conflict(outcome.text)
        return self._lead.latest


def _came_to(ended: RunFinished, result: RunResult) -> str:
    """Of a plan that was carried out, that."""
    if ended.execution is None:
        return result.text
    return carried_out(ended.execution, ended.usage, ended.cost_usd)
