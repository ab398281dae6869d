"""A turn that goes straight to the team: no model is asked before the run, and its result is the answer."""

from typing import Any, Literal

from anyio import to_thread

from quorate.models.port import ToolCall
from quorate.protocol.errors import Conflict
from quorate.protocol.events import ItemFinished, ItemStarted
from quorate.protocol.ids import ItemId, RunId
from quorate.protocol.items import Presentation
from quorate.protocol.modes import Modes
from quorate.runtime.context.attached_files import attachment_texts
from quorate.runtime.context.context import Context
from quorate.runtime.context.said import Said
from quorate.runtime.house import House
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal
from quorate.runtime.lead import SessionLead
from quorate.runtime.open_turns import OpenTurn
from quorate.runtime.runs.approval import assistant_rules
from quorate.runtime.turn import Turn
from quorate.tools.assistant.launch_run import LaunchRun
from quorate.tools.dispatcher import Dispatcher
from quorate.tools.port import Failed


class TeamTurn:
    def __init__(self, turn: Turn, *, house: House, journal: Journal, context: Context, lead: SessionLead) -> None:
        self._turn = turn
        self._house = house
        self._journal = journal
        self._context = context
        self._lead = lead

    async def answer(self, modes: Modes, interrupted: OpenTurn | None) -> Literal["completed", "cancelled"]:
        """Raises Conflict with the reason where the run could not start, or failed."""
        before = interrupted.run_id if interrupted is not None else None
        run_id = before or await self._launched(modes)
        ended = self._context.end_of(run_id)
        if ended is None:
            raise RuntimeError(f"the run {run_id} was followed to its end and has none")
        if ended.outcome == "failed":
            raise Conflict(ended.error or "The run failed.")
        if ended.result is None:
            return "cancelled"
        if interrupted is None or not interrupted.is_presented:
            item = Presentation(item_id=ItemId(fresh_id("item")), text=ended.result.text)
            await self._journal.append_together((ItemStarted(item=item), ItemFinished(item=item)), self._turn.scope)
        return "completed"

    async def _launched(self, modes: Modes) -> RunId:
        """Recorded as a call of `launch_run`, so that the assistant knows of it in later turns."""
        dispatcher = Dispatcher(assistant_rules(self._house, modes), (LaunchRun(self._lead),), self._turn.ask)
        arguments: dict[str, Any] = {"task": self._turn.asked.text}
        if self._turn.asked.attachments:
            arguments["context"] = await to_thread.run_sync(self._attached)
        call = ToolCall(fresh_id("item"), LaunchRun.name, arguments)
        outcome = await self._turn.recorder.carried_out(call, dispatcher)
        if isinstance(outcome, Failed) or self._lead.latest is None:
            raise Conflict(outcome.text)
        return self._lead.latest

    def _attached(self) -> str:
        asked = self._turn.asked
        return attachment_texts(Said(0, asked.turn_id, asked.text, asked.attachments), self._house.live).full
