"""One answer of the model: its text, its calls, and what came of each of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from teamwright.models.metering import CHARACTERS_PER_MESSAGE, characters_of_call
from teamwright.models.port import Message, ModelReply, ModelToolCall, Replay, ToolCallInvalid, ToolResultMessage
from teamwright.prompts.assistant.notes import INTERRUPTED, NO_OUTPUT, NOT_CARRIED_OUT, cancelled_call, output_stub
from teamwright.prompts.assistant.quoting import excerpt
from teamwright.protocol.ids import ItemId, TurnId
from teamwright.protocol.items import ToolCall
from teamwright.runtime.context.entry import ContextEntry

# Below this a stub would hardly be shorter than what it stands for.
_SHORT_OUTPUT: Final = 600
_SHORT_ARGUMENT: Final = 600
# Once: a union that is written where it is asked for is made anew for each of thousands of arguments.
_SHORT_TYPES: Final = (bool, int, float, type(None))
_JSON: Final = json.JSONEncoder(ensure_ascii=False)

ProposedCall: TypeAlias = ModelToolCall | ToolCallInvalid
CallStatus: TypeAlias = Literal["running", "succeeded", "failed", "cancelled"]


class _Call(NamedTuple):
    name: str
    arguments: Mapping[str, Any]
    status: CallStatus
    output: str
    weight: int

    @property
    def size(self) -> int:
        """Of the call and its result."""
        return characters_of_call(self.name, self.arguments) + CHARACTERS_PER_MESSAGE + len(self.result)

    @property
    def result(self) -> str:
        match self.status:
            case "succeeded" | "failed":
                return self.output or NO_OUTPUT
            case "cancelled":
                return cancelled_call(self.output)
            case "running":
                return INTERRUPTED

    def without_output(self) -> "_Call":
        output = self.output
        if len(output) > _SHORT_OUTPUT:
            output = output_stub(self.name, _JSON.encode(dict(self.arguments)), output)
        arguments = {key: _shortened(value) for key, value in self.arguments.items()}
        return _made(self.name, arguments, self.status, output)


def _made(name: str, arguments: Mapping[str, Any], status: CallStatus, output: str) -> _Call:
    weight = len(output) + sum([len(value) for value in arguments.values() if isinstance(value, str)])
    return _Call(name, arguments, status, output, weight)


@dataclass(slots=True)
class _ReplayState:
    """What the provider wants back: its calls that have not begun, and what it called those that have."""

    replay: Replay | None
    due: list[ProposedCall]
    names: dict[ItemId, str] = field(default_factory=dict[ItemId, str])


class ReplyEntry(ContextEntry):
    __slots__ = ("_brief_calls", "_calls", "_recalled", "_running", "_texts")

    def __init__(self, seq: int, turn_id: TurnId | None) -> None:
        super().__init__(seq, turn_id, weight=0)
        self._texts: dict[ItemId, str] = {}
        self._calls: dict[ItemId, _Call] = {}
        self._brief_calls: dict[ItemId, _Call] | None = None
        self._running = 0
        self._recalled: _ReplayState | None = None

    @property
    def text(self) -> str:
        return "".join(self._texts.values())

    @property
    def has_calls(self) -> bool:
        return bool(self._calls or self._due)

    @property
    def awaits_calls(self) -> bool:
        """Whether a call that begins now belongs to this answer."""
        return bool(self._running or self._due)

    @property
    def _due(self) -> Sequence[ProposedCall]:
        return () if self._recalled is None else self._recalled.due

    def say(self, item_id: ItemId, text: str) -> None:
        self._changed(len(text) - len(self._texts.get(item_id, "")))
        self._texts[item_id] = text

    def call(self, item: ToolCall) -> None:
        """It has begun, or ended; the last word on it counts."""
        item_id = item.item_id
        known = self._calls.get(item_id)
        if known is None and self._recalled is not None and self._recalled.due:
            self._recalled.names[item_id] = self._recalled.due.pop(0).call_id
        call = self._calls[item_id] = _made(item.name, item.arguments, item.status, item.error or item.result or "")
        self._exchanged(known, call)

    def take_back(self, item_id: ItemId) -> None:
        self._changed(-len(self._texts.pop(item_id, "")))
        self._exchanged(self._calls.pop(item_id, None), None)

    def recall(self, calls: Sequence[ProposedCall], replay: Replay) -> None:
        """What the provider wants back with this answer. It names all calls of it, so all must have a result."""
        self._recalled = _ReplayState(replay, list(calls))
        self._changed()

    def forget(self) -> None:
        if self._recalled is not None:
            self._recalled.replay = None
        self._calls = self._without_output()
        self._brief_calls = None
        self._changed(len(self.text) + sum(call.weight for call in self._calls.values()) - self.weight)

    def _exchanged(self, before: _Call | None, now: _Call | None) -> None:
        gained = 0
        if before is not None:
            gained -= before.weight
            self._running -= before.status == "running"
        if now is not None:
            gained += now.weight
            self._running += now.status == "running"
        self._brief_calls = None
        self._changed(gained)

    def _without_output(self) -> dict[ItemId, _Call]:
        if self._brief_calls is None:
            self._brief_calls = {item_id: call.without_output() for item_id, call in self._calls.items()}
        return self._brief_calls

    def _messages(self) -> tuple[Message, ...]:
        return self._with(self._calls, None if self._recalled is None else self._recalled.replay)

    def _measured(self) -> int:
        return self._size_with(self._calls)

    def _messages_in_brief(self) -> tuple[Message, ...]:
        return self._with(self._without_output(), None)

    def _measured_in_brief(self) -> int:
        return self._size_with(self._without_output()) if self._calls else self.full_size

    def _size_with(self, made: Mapping[ItemId, _Call]) -> int:
        text = self.text
        if not self.has_calls and (not text or text.isspace()):
            return 0
        size = CHARACTERS_PER_MESSAGE + len(text) + sum([call.size for call in made.values()])
        for call in self._due:
            size += characters_of_call(call.name, _lawful(call)) + CHARACTERS_PER_MESSAGE + len(NOT_CARRIED_OUT)
        return size

    def _with(self, made: Mapping[ItemId, _Call], replay: Replay | None) -> tuple[Message, ...]:
        text = self.text
        if not self.has_calls:
            return (ModelReply(text, (), replay),) if text and not text.isspace() else ()
        names = None if self._recalled is None else self._recalled.names
        calls: list[ModelToolCall] = []
        results: list[ToolResultMessage] = []
        for item_id, call in made.items():
            call_id = names.get(item_id, item_id) if names else item_id
            calls.append(ModelToolCall(call_id, call.name, call.arguments))
            results.append(ToolResultMessage(call_id, call.result, is_error=call.status != "succeeded"))
        for call in self._due:
            calls.append(ModelToolCall(call.call_id, call.name, _lawful(call)))
            results.append(ToolResultMessage(call.call_id, NOT_CARRIED_OUT, is_error=True))
        return (ModelReply(text, tuple(calls), replay), *results)


def _lawful(call: ProposedCall) -> Mapping[str, Any]:
    return call.arguments if isinstance(call, ModelToolCall) else {}


def _shortened(value: Any) -> Any:
    if isinstance(value, _SHORT_TYPES):
        return value
    text = value if isinstance(value, str) else _JSON.encode(value)
    return value if len(text) <= _SHORT_ARGUMENT else excerpt(text, _SHORT_ARGUMENT)
