"""One answer of the model: its text, its calls, and what came of each of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from quorate.models.port import AssistantMessage, Replay, ToolCall, ToolCallInvalid, ToolResultMessage
from quorate.prompts.assistant.excerpts import excerpt
from quorate.prompts.assistant.notes import INTERRUPTED, NO_OUTPUT, NOT_CARRIED_OUT, cancelled_call, output_stub
from quorate.protocol.ids import ItemId, TurnId
from quorate.protocol.items import ToolCall as CallItem
from quorate.runtime.context.entry import NOTHING, Entry, Rendering, rendering

# Below this a stub would hardly be shorter than what it stands for.
_SHORT_OUTPUT: Final = 600
_SHORT_ARGUMENT: Final = 600

ProposedCall: TypeAlias = ToolCall | ToolCallInvalid
CallStatus: TypeAlias = Literal["running", "succeeded", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    arguments: Mapping[str, Any]
    status: CallStatus
    output: str

    @property
    def weight(self) -> int:
        return len(self.output) + sum(len(value) for value in self.arguments.values() if isinstance(value, str))

    def without_output(self) -> "_Call":
        output = self.output
        if len(output) > _SHORT_OUTPUT:
            output = output_stub(self.name, json.dumps(dict(self.arguments), ensure_ascii=False), output)
        return _Call(self.name, {key: _shortened(value) for key, value in self.arguments.items()}, self.status, output)

    def result(self, call_id: str) -> ToolResultMessage:
        match self.status:
            case "succeeded":
                return ToolResultMessage(call_id, self.output or NO_OUTPUT)
            case "failed":
                return ToolResultMessage(call_id, self.output or NO_OUTPUT, is_error=True)
            case "cancelled":
                return ToolResultMessage(call_id, cancelled_call(self.output), is_error=True)
            case "running":
                return ToolResultMessage(call_id, INTERRUPTED, is_error=True)


class Answered(Entry):
    def __init__(self, seq: int, turn_id: TurnId | None) -> None:
        super().__init__(seq, turn_id, weight=0)
        self._texts: dict[ItemId, str] = {}
        self._calls: dict[ItemId, _Call] = {}
        self._running: set[ItemId] = set()
        # What the provider called the calls, and those of them that have not begun; only where it wants its own back.
        self._names: dict[ItemId, str] = {}
        self._due: list[ProposedCall] = []
        self._replay: Replay | None = None

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

    def say(self, item_id: ItemId, text: str) -> None:
        self._changed(len(text) - len(self._texts.get(item_id, "")))
        self._texts[item_id] = text

    def call(self, item: CallItem) -> None:
        """It has begun, or ended; the last word on it counts."""
        known = self._calls.get(item.item_id)
        if known is None and self._due:
            self._names[item.item_id] = self._due.pop(0).call_id
        call = _Call(item.name, item.arguments, item.status, item.error or item.result or "")
        self._changed(call.weight - (0 if known is None else known.weight))
        self._calls[item.item_id] = call
        if item.status == "running":
            self._running.add(item.item_id)
        else:
            self._running.discard(item.item_id)

    def take_back(self, item_id: ItemId) -> None:
        text, call = self._texts.pop(item_id, ""), self._calls.pop(item_id, None)
        self._running.discard(item_id)
        self._changed(-len(text) - (0 if call is None else call.weight))

    def recall(self, calls: Sequence[ProposedCall], replay: Replay) -> None:
        """What the provider wants back with this answer. It names all calls of it, so all must have a result."""
        self._due = list(calls)
        self._replay = replay
        self._changed()

    def forget(self) -> None:
        self._replay = None
        self._calls = self._without_output()
        self._changed(len(self.text) + sum(call.weight for call in self._calls.values()) - self.weight)

    def _rendered(self) -> Rendering:
        return self._with(self._calls, self._replay)

    def _shortened(self) -> Rendering:
        return self._with(self._without_output(), None)

    def _without_output(self) -> dict[ItemId, _Call]:
        return {item_id: call.without_output() for item_id, call in self._calls.items()}

    def _with(self, made: Mapping[ItemId, _Call], replay: Replay | None) -> Rendering:
        calls: list[ToolCall] = []
        results: list[ToolResultMessage] = []
        for item_id, call in made.items():
            call_id = self._names.get(item_id, item_id)
            calls.append(ToolCall(call_id, call.name, call.arguments))
            results.append(call.result(call_id))
        for call in self._due:
            calls.append(ToolCall(call.call_id, call.name, call.arguments if isinstance(call, ToolCall) else {}))
            results.append(ToolResultMessage(call.call_id, NOT_CARRIED_OUT, is_error=True))
        text = self.text
        if not calls and (not text or text.isspace()):
            return NOTHING
        return rendering(AssistantMessage(text, tuple(calls), replay), *results)


def _shortened(value: Any) -> Any:
    if isinstance(value, bool | int | float | None):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return value if len(text) <= _SHORT_ARGUMENT else excerpt(text, _SHORT_ARGUMENT)
