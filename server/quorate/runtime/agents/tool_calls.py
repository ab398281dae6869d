"""A tool call as an item of the transcript: begun, and then how it ended."""

from collections.abc import Awaitable, Callable, Container

from quorate.models.port import ToolCall, ToolCallInvalid
from quorate.protocol.events import DurableEvent, ItemFinished, ItemStarted, Misstep
from quorate.protocol.ids import ItemId
from quorate.protocol.items import ToolCall as ToolCallItem
from quorate.runtime.agents.conversation import Conversation
from quorate.runtime.answer_stream import Reply
from quorate.runtime.identity import fresh_id
from quorate.tools.dispatcher import Dispatcher
from quorate.tools.port import Failed, Outcome, Succeeded

Record = Callable[[DurableEvent], Awaitable[object]]


async def carry_out(
    reply: Reply,
    conversation: Conversation,
    outcome_of: Callable[[ToolCall | ToolCallInvalid], Awaitable[Outcome]],
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
        self, call: ToolCall | ToolCallInvalid, dispatcher: Dispatcher, step: int | None = None
    ) -> Outcome:
        if isinstance(call, ToolCallInvalid):
            return await self.refused(call, call.problem, step)
        item = await self._begun(call.name, dict(call.arguments), step)
        return await self.concluded(item, lambda: dispatcher.dispatch(call))

    async def concluded(self, item: ToolCallItem, work: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """A call that has begun, brought to its end."""
        ended = item.model_copy(update={"status": "cancelled"})
        try:
            outcome = await work()
            ended = _ended(item, outcome)
        finally:
            if ended.status != "cancelled" or not self._is_left_open():
                await self._record(ItemFinished(item=ended))
        return outcome

    async def refused(self, call: ToolCall | ToolCallInvalid, problem: str, step: int | None = None) -> Failed:
        """A call that must not run is shown like one that failed."""
        failed = Failed(problem)
        item = await self._begun(call.name, dict(call.arguments) if isinstance(call, ToolCall) else {}, step)
        await self._record(ItemFinished(item=_ended(item, failed)))
        return failed

    async def _begun(self, name: str, arguments: dict[str, object], step: int | None) -> ToolCallItem:
        item = _item_of(name, arguments)
        await self._record(ItemStarted(item=item, step=step))
        return item


class SubmissionRecorder:
    """Of a call that only makes a fact: its item goes to the disk with that fact, the start before it, the end behind.

    `note`: what is to go to the disk ahead of whatever follows.
    """

    def __init__(self, note: Callable[[DurableEvent], None]) -> None:
        self._note = note
        self._open: ToolCallItem | None = None
        self._goes_with_fact = False

    async def submitted(self, call: ToolCall, dispatcher: Dispatcher, step: int) -> Outcome:
        self._open = item = _item_of(call.name, dict(call.arguments))
        self._goes_with_fact = False
        self._note(ItemStarted(item=item, step=step))
        ended = item.model_copy(update={"status": "cancelled"})
        try:
            outcome = await dispatcher.dispatch(call)
            ended = _ended(item, outcome)
        finally:
            self._open = None
            # Where the fact was to take the end along and was not written, the end is another.
            if not self._goes_with_fact or ended.status != "succeeded":
                self._note(ItemFinished(item=ended))
        return outcome

    def end_with_fact(self, text: str) -> tuple[ItemFinished, ...]:
        """For whoever writes the fact: the end of the call that made it, if a call did."""
        if self._open is None:
            return ()
        self._goes_with_fact = True
        return (ItemFinished(item=_ended(self._open, Succeeded(text))),)


def misstep_in(
    call: ToolCall | ToolCallInvalid, outcome: Outcome, workflow: Container[str], dispatcher: Dispatcher
) -> Misstep | None:
    """Whether a call shows that the agent does not follow the protocol. A file that is not there shows nothing."""
    if isinstance(outcome, Succeeded):
        return None
    offered = {spec.name for spec in dispatcher.specs}
    if call.name not in offered or (call.name in workflow and isinstance(call, ToolCallInvalid)):
        return "bad_call"
    return "refused" if call.name in workflow else None


def _item_of(name: str, arguments: dict[str, object]) -> ToolCallItem:
    return ToolCallItem(item_id=ItemId(fresh_id("item")), name=name, arguments=arguments)


def _ended(item: ToolCallItem, outcome: Outcome) -> ToolCallItem:
    match outcome:
        case Succeeded(text):
            return item.model_copy(update={"status": "succeeded", "result": text})
        case Failed(text):
            return item.model_copy(update={"status": "failed", "error": text})
