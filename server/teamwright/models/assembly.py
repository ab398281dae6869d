"""Tool calls put together from the fragments of a stream. Nothing is complete before the answer is."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from teamwright.models.answer_bounds import endless
from teamwright.models.arguments import checked_call
from teamwright.models.faults import Target
from teamwright.models.limits import MAX_CALLS, MAX_CALLS_NAMED
from teamwright.models.port import (
    FinishReason,
    ModelReply,
    ModelRequest,
    ToolArgumentsDelta,
    ToolCallCompleted,
    ToolCallInvalid,
    ToolCallStarted,
)


@dataclass(slots=True)
class OpenCall:
    call_id: str
    given_id: str | None
    name: str
    repeats: str | None
    """The id that another call of the same answer already has."""
    pieces: list[str] = field(default_factory=list[str])

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)


class ToolCallAssembly:
    """Fragments come by index. Servers that leave it out begin a call with its id or name and go on with the last.

    Ids that the conversation already has are replaced: some servers count anew in every answer.
    """

    def __init__(self, request: ModelRequest, target: Target) -> None:
        self._target = target
        self._tools = request.tools
        self._taken = {
            call.call_id
            for message in request.messages
            if isinstance(message, ModelReply)
            for call in message.tool_calls
        }
        self._turn = len(request.messages)
        self._calls: list[OpenCall] = []
        self._by_index: dict[int, OpenCall] = {}

    @property
    def calls(self) -> tuple[OpenCall, ...]:
        return tuple(self._calls)

    def fragment(
        self, *, index: int | None, call_id: str | None, name: str | None, arguments: str
    ) -> Iterator[ToolCallStarted | ToolArgumentsDelta]:
        call = self._going_on(index, call_id, name)
        if call is None:
            call = self._begin(index, call_id, name)
            yield ToolCallStarted(call.call_id, call.name)
        if arguments:
            call.pieces.append(arguments)
            yield ToolArgumentsDelta(call.call_id, arguments)

    def finish(self, reason: FinishReason) -> Iterator[ToolCallCompleted | ToolCallInvalid]:
        for number, call in enumerate(self._calls):
            if number >= MAX_CALLS:
                problem = (
                    f"At most {MAX_CALLS} calls of one answer are carried out, and this one was not. "
                    "Make it again with your next answer if it is needed."
                )
                yield ToolCallInvalid(call.call_id, call.name, problem)
            elif reason in {"length", "content_filter"}:
                problem = f"The answer was cut off, so {call.name} was not called. Call it again, with less text."
                yield ToolCallInvalid(call.call_id, call.name, problem)
            elif call.repeats is not None:
                problem = (
                    f"Two calls had the id {call.repeats!r}, so this one was not run. Call it again if it is needed."
                )
                yield ToolCallInvalid(call.call_id, call.name, problem)
            else:
                yield checked_call(call.call_id, call.name, call.arguments, self._tools)

    def _going_on(self, index: int | None, call_id: str | None, name: str | None) -> OpenCall | None:
        if index is not None:
            call = self._by_index.get(index)
            # Some servers give every call of an answer the index 0: a new id tells them apart.
            return call if call is None or not call_id or call_id == call.given_id else None
        last = self._calls[-1] if self._calls else None
        if last is None or not (call_id or name):
            return last
        return last if call_id and call_id == last.given_id else None

    def _begin(self, index: int | None, call_id: str | None, name: str | None) -> OpenCall:
        if len(self._calls) == MAX_CALLS_NAMED:
            raise endless(self._target, f"more than {MAX_CALLS_NAMED} tool calls")
        repeats = call_id if call_id and any(call.given_id == call_id for call in self._calls) else None
        unique = call_id if call_id and call_id not in self._taken else self._minted()
        self._taken.add(unique)
        call = OpenCall(unique, call_id, name or "", repeats)
        self._calls.append(call)
        if index is not None:
            self._by_index[index] = call
        return call

    def _minted(self) -> str:
        return next(
            candidate
            for number in range(len(self._calls), len(self._calls) + len(self._taken) + 1)
            if (candidate := f"call_{self._turn}_{number}") not in self._taken
        )
