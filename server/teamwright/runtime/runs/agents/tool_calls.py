"""A tool call as an item of the transcript: begun, and then how it ended."""

from collections.abc import Awaitable, Callable, Container
from contextvars import ContextVar
from typing import Final

from teamwright.models.port import ModelToolCall, ToolCallInvalid
from teamwright.protocol.events import DurableEvent, ItemFinished, ItemStarted, Misstep
from teamwright.protocol.ids import ItemId
from teamwright.protocol.items import ToolCall
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.runs.agents.conversation import AgentConversation
from teamwright.runtime.sessions.answer_stream import Reply
from teamwright.tools.dispatcher import Dispatcher
from teamwright.tools.port import Failed, Outcome, Succeeded

# The call that is being carried out, for what comes of it: calls may be made side by side.
CURRENT_CALL: Final[ContextVar[ItemId | None]] = ContextVar("current_call", default=None)
Record = Callable[[DurableEvent], Awaitable[object]]


async def carry_out(
    reply: Reply,
    conversation: AgentConversation,
    outcome_of: Callable[[ModelToolCall | ToolCallInvalid], Awaitable[Outcome]],
    *,
    is_over: Callable[[], bool] = lambda: False,
) -> None:
    """The calls of an answer one after the other, until one of them ended the matter."""
    outcomes: list[Outcome] = []
    try:
        for call in reply.calls:
            outcomes.append(await outcome_of(call))
            if is_over():
                break
    finally:
        # Also when it is cancelled here: what comes later goes on in this conversation.
        conversation.answered(reply, outcomes)


class CallRecorder:
    """Whatever happens between its start and its end, an item that was begun is finished."""

    def __init__(self, record: Record, *, is_left_open: Callable[[], bool] = lambda: False) -> None:
        """`is_left_open`: whether a call that is cancelled now goes on after a restart."""
        self._record = record
        self._is_left_open = is_left_open

    async def carried_out(
        self, call: ModelToolCall | ToolCallInvalid, dispatcher: Dispatcher, step: int | None = None
    ) -> Outcome:
        if isinstance(call, ToolCallInvalid):
            return await self.refused(call, call.problem, step)
        item = await self._begun(call.name, dict(call.arguments), step)
        return await self.concluded(item, lambda: dispatcher.dispatch(call))

    async def concluded(self, item: ToolCall, work: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """A call that has begun, brought to its end."""
        ended = item.model_copy(update={"status": "cancelled"})
        token = CURRENT_CALL.set(item.item_id)
        try:
            outcome = await work()
            ended = ended_item(item, outcome)
        finally:
            CURRENT_CALL.reset(token)
            if ended.status != "cancelled" or not self._is_left_open():
                await self._record(ItemFinished(item=ended))
        return outcome

    async def refused(self, call: ModelToolCall | ToolCallInvalid, problem: str, step: int | None = None) -> Failed:
        """A call that must not run is shown like one that failed."""
        failed = Failed(problem)
        item = await self._begun(call.name, dict(call.arguments) if isinstance(call, ModelToolCall) else {}, step)
        await self._record(ItemFinished(item=ended_item(item, failed)))
        return failed

    async def _begun(self, name: str, arguments: dict[str, object], step: int | None) -> ToolCall:
        item = item_of(name, arguments)
        await self._record(ItemStarted(item=item, step=step))
        return item


def misstep_in(
    call: ModelToolCall | ToolCallInvalid, outcome: Outcome, workflow: Container[str], dispatcher: Dispatcher
) -> Misstep | None:
    """Whether a call shows that the agent does not follow the protocol. A file that is not there shows nothing."""
    if isinstance(outcome, Succeeded):
        return None
    offered = {spec.name for spec in dispatcher.specs}
    if call.name not in offered or (call.name in workflow and isinstance(call, ToolCallInvalid)):
        return "bad_call"
    return "refused" if call.name in workflow else None


def item_of(name: str, arguments: dict[str, object]) -> ToolCall:
    return ToolCall(item_id=ItemId(fresh_id("item")), name=name, arguments=arguments)


def ended_item(item: ToolCall, outcome: Outcome) -> ToolCall:
    match outcome:
        case Succeeded(text):
            return item.model_copy(update={"status": "succeeded", "result": text})
        case Failed(text):
            return item.model_copy(update={"status": "failed", "error": text})
