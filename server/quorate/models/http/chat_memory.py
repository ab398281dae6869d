"""What a chat completions server wants back with the next request, beside the text and the calls. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from quorate.models.arguments import object_text
from quorate.models.assembly import OpenCall
from quorate.models.decoding import JsonObject
from quorate.models.http.chat_request import tool_call_entry
from quorate.models.port import Replay

# The parts of a reasoning detail that arrive in pieces.
_PIECEWISE: Final = ("text", "summary", "data")


class ChatMemory:
    """Signed thoughts (`extra_content` of a call, `reasoning_details`) and thoughts that belong to a tool call."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self.text: list[str] = []
        self._reasoning: list[str] = []
        self._details: dict[tuple[Any, Any], JsonObject] = {}
        self._extras: dict[str, Mapping[str, Any]] = {}

    def note(self, delta: JsonObject) -> None:
        if reasoning := delta.get("reasoning_content"):
            self._reasoning.append(reasoning)
        for detail in delta.get("reasoning_details") or ():
            known = self._details.setdefault((detail.get("index"), detail.get("type")), {})
            pieces = {name: known[name] + detail[name] for name in _PIECEWISE if known.get(name) and detail.get(name)}
            known.update({name: value for name, value in detail.items() if value is not None} | pieces)

    def note_call(self, call_id: str, extra: Mapping[str, Any]) -> None:
        self._extras[call_id] = extra

    def replay(self, calls: Sequence[OpenCall]) -> Replay | None:
        reasoning = "".join(self._reasoning) if calls else ""
        if not (reasoning or self._details or self._extras):
            return None
        message: JsonObject = {"role": "assistant", "content": "".join(self.text) or None}
        if calls:
            message["tool_calls"] = [self._entry(call) for call in calls]
        if reasoning:
            message["reasoning_content"] = reasoning
        if self._details:
            message["reasoning_details"] = list(self._details.values())
        return Replay(self._origin, (message,))

    def _entry(self, call: OpenCall) -> JsonObject:
        entry = tool_call_entry(call.call_id, call.name, object_text(call.arguments))
        extra = self._extras.get(call.call_id)
        return {**entry, "extra_content": extra} if extra else entry
