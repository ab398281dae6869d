"""Anthropic's messages."""

import json
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from teamwright.models.adapter import Generation, JsonObject, StreamEnding
from teamwright.models.arguments import object_text
from teamwright.models.assembly import OpenCall, ToolCallAssembly
from teamwright.models.faults import ProviderWords, Target, provider_fault
from teamwright.models.http.anthropic_client import AnthropicClient
from teamwright.models.http.messages_request import messages_body, tool_use_block
from teamwright.models.http.transport import streamed_answer
from teamwright.models.port import (
    FinishReason,
    ModelRequest,
    ModelUsage,
    Part,
    ReasoningDelta,
    Replay,
    TextDelta,
)
from teamwright.protocol.usage import Usage

_REASONS: Final[dict[str, FinishReason]] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "pause_turn": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
_THOUGHTS: Final = {"thinking", "redacted_thinking"}


class MessagesAdapter:
    def __init__(self, client: AnthropicClient, target: Target, generation: Generation) -> None:
        self._client = client
        self._target = target
        self._generation = generation
        self._origin = f"messages {target.host} {generation.model}"

    def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        body = messages_body(request, self._generation, origin=self._origin)
        opening = self._client.messages(body, request.deadlines, self._target)
        decoder = MessagesDecoder(request, self._target, self._origin)
        return streamed_answer(opening, decoder, request.deadlines, self._target)


class MessagesDecoder:
    def __init__(self, request: ModelRequest, target: Target, origin: str) -> None:
        self._target = target
        self._origin = origin
        self._calls = ToolCallAssembly(request, target)
        self._ending = StreamEnding(target, self._calls)
        self._usage: JsonObject = {}
        self._blocks: dict[int, OpenBlock] = {}
        self._reason: FinishReason | None = None

    @property
    def finished(self) -> bool:
        return self._ending.reason is not None

    def decode(self, event: JsonObject) -> Sequence[Part]:
        match event["type"]:
            case "content_block_delta":
                return self._delta(event["index"], event["delta"])
            case "content_block_start":
                return self._start(event["index"], event["content_block"])
            case "message_start":
                self._usage |= event["message"]["usage"]
            case "message_delta":
                self._usage |= {name: count for name, count in event["usage"].items() if count is not None}
                self._reason = _REASONS.get(event["delta"]["stop_reason"], "stop")
            case "message_stop":
                self._ending.usage = _usage(self._usage)
                self._ending.reason = self._reason
            case "error":
                raise provider_fault(self._target, ProviderWords.of_body(event))
            case _:
                pass
        return ()

    def end(self) -> Iterator[Part]:
        return self._ending.parts(self._replay())

    def _start(self, index: int, block: JsonObject) -> Sequence[Part]:
        self._blocks[index] = OpenBlock(block)
        if block["type"] != "tool_use":
            return ()
        return list(self._calls.fragment(index=index, call_id=block["id"], name=block["name"], arguments=""))

    def _delta(self, index: int, delta: JsonObject) -> Sequence[Part]:
        match delta["type"]:
            case "text_delta":
                self._ending.note_text(delta["text"])
                self._blocks[index].pieces.append(delta["text"])
                return (TextDelta(delta["text"]),)
            case "thinking_delta":
                self._blocks[index].pieces.append(delta["thinking"])
                return (ReasoningDelta(delta["thinking"]),)
            case "input_json_delta":
                return list(self._calls.fragment(index=index, call_id=None, name=None, arguments=delta["partial_json"]))
            case "signature_delta":
                self._blocks[index].opened["signature"] = delta["signature"]
            case _:
                pass
        return ()

    def _replay(self) -> Replay | None:
        """Only signed thoughts have to go back; where there are none, the text and the calls say everything."""
        if not any(block.kind in _THOUGHTS for block in self._blocks.values()):
            return None
        calls = {call.given_id: call for call in self._calls.calls}
        blocks = (block.sent_back(calls) for _, block in sorted(self._blocks.items()))
        return Replay(self._origin, tuple(block for block in blocks if block is not None))


@dataclass(slots=True)
class OpenBlock:
    """A block of the answer's content as it grows."""

    opened: JsonObject
    pieces: list[str] = field(default_factory=list[str])

    @property
    def kind(self) -> str:
        return self.opened["type"]

    def sent_back(self, calls: Mapping[str | None, OpenCall]) -> JsonObject | None:
        whole = "".join(self.pieces)
        match self.kind:
            case "thinking":
                return {"type": "thinking", "thinking": whole, "signature": self.opened["signature"]}
            case "redacted_thinking":
                return {"type": "redacted_thinking", "data": self.opened["data"]}
            case "text":
                return {"type": "text", "text": whole} if whole.strip() else None
            case "tool_use":
                call = calls[self.opened["id"]]
                return tool_use_block(call.call_id, call.name, json.loads(object_text(call.arguments)))
            case _:
                return None


def _usage(usage: JsonObject) -> ModelUsage:
    """Anthropic counts apart what was read from the cache and written to it."""
    read: int = usage.get("cache_read_input_tokens") or 0
    written: int = usage.get("cache_creation_input_tokens") or 0
    reported = Usage(
        input_tokens=usage["input_tokens"] + read + written,
        output_tokens=usage["output_tokens"],
        cached_tokens=read,
        calls=1,
    )
    return ModelUsage(reported, cache_write_tokens=written)
