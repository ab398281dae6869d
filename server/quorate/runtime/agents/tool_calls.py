"""A tool call as an item of the transcript: begun, and then how it ended."""

import anyio

from quorate.models.port import ToolCall, ToolCallInvalid
from quorate.protocol.events import ItemFinished, ItemStarted
from quorate.protocol.ids import ItemId
from quorate.protocol.items import ToolCall as ToolCallItem
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.shielding import shielded
from quorate.tools.dispatcher import Dispatcher
from quorate.tools.port import Failed, Outcome, Succeeded


class CallRecorder:
    def __init__(self, journal: Journal, scope: Scope) -> None:
        self._journal = journal
        self._scope = scope

    async def carried_out(self, call: ToolCall, dispatcher: Dispatcher) -> Outcome:
        item = ToolCallItem(item_id=ItemId(fresh_id("item")), name=call.name, arguments=dict(call.arguments))
        await self._journal.append(ItemStarted(item=item), self._scope)
        try:
            outcome = await dispatcher.dispatch(call)
        except anyio.get_cancelled_exc_class():
            await shielded(self._finish(item.model_copy(update={"status": "cancelled"})))
            raise
        await self._finish(_ended(item, outcome))
        return outcome

    async def refused(self, call: ToolCall | ToolCallInvalid, problem: str) -> Failed:
        """A call that must not run is shown like one that failed."""
        arguments = dict(call.arguments) if isinstance(call, ToolCall) else {}
        item = ToolCallItem(
            item_id=ItemId(fresh_id("item")), name=call.name, arguments=arguments, status="failed", error=problem
        )
        await self._journal.append(ItemStarted(item=item), self._scope)
        await self._finish(item)
        return Failed(problem)

    async def _finish(self, item: ToolCallItem) -> None:
        await self._journal.append(ItemFinished(item=item), self._scope)


def _ended(item: ToolCallItem, outcome: Outcome) -> ToolCallItem:
    match outcome:
        case Succeeded(text):
            return item.model_copy(update={"status": "succeeded", "result": text})
        case Failed(text):
            return item.model_copy(update={"status": "failed", "error": text})
