"""OpenAI's chat completions, as OpenAI and the many servers that imitate it speak them."""

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import Any, Final

from teamwright.models.adapter import Generation, JsonObject, StreamEnding
from teamwright.models.arguments import object_text
from teamwright.models.assembly import OpenCall, ToolCallAssembly
from teamwright.models.faults import ProviderWords, Target, provider_fault
from teamwright.models.http.chat_request import ChatDialect, chat_body, tool_call_entry
from teamwright.models.http.openai_client import OpenAiClient
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
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}
# The parts of a reasoning detail that arrive in pieces.
_PIECEWISE: Final = ("text", "summary", "data")


class ChatAdapter:
    def __init__(self, client: OpenAiClient, target: Target, generation: Generation, dialect: ChatDialect) -> None:
        self._client = client
        self._target = target
        self._generation = generation
        self._dialect = dialect
        self._origin = f"chat {target.host} {generation.model}"

    def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        body = chat_body(request, self._generation, self._dialect, origin=self._origin)
        opening = self._client.chat(body, request.deadlines, self._target)
        decoder = ChatDecoder(request, self._target, self._origin)
        return streamed_answer(opening, decoder, request.deadlines, self._target)


class ChatDecoder:
    def __init__(self, request: ModelRequest, target: Target, origin: str) -> None:
        self._target = target
        self._calls = ToolCallAssembly(request, target)
        self._ending = StreamEnding(target, self._calls)
        self._memory = ChatMemory(origin)
        self._refused = False

    @property
    def finished(self) -> bool:
        return self._ending.reason is not None

    def decode(self, event: JsonObject) -> Sequence[Part]:
        if event.get("error"):
            raise provider_fault(self._target, ProviderWords.of_body(event))
        if usage := event.get("usage"):
            self._ending.usage = _usage(usage)
        choices = event.get("choices")
        return self._choice(choices[0]) if choices else ()

    def end(self) -> Iterator[Part]:
        return self._ending.parts(self._memory.replay(self._calls.calls))

    def _choice(self, choice: JsonObject) -> Sequence[Part]:
        delta: JsonObject = choice.get("delta") or {}
        if reason := choice.get("finish_reason"):
            self._ending.reason = "content_filter" if self._refused else _REASONS.get(reason, "stop")
        content = delta.get("content")
        if len(delta) == 1 and isinstance(content, str):
            # Nearly every chunk is a word and nothing else.
            return self._words(content)
        return list(self._parts(delta, content))

    def _words(self, text: str) -> Sequence[TextDelta]:
        if not text:
            return ()
        self._ending.note_text(text)
        self._memory.text.append(text)
        return (TextDelta(text),)

    def _parts(self, delta: JsonObject, content: str | list[JsonObject] | None) -> Iterator[Part]:
        if isinstance(content, str):
            yield from self._words(content)
        elif content:
            yield from self._pieces(content)
        if reasoning := delta.get("reasoning_content") or delta.get("reasoning"):
            yield ReasoningDelta(reasoning)
        for fragment in delta.get("tool_calls") or ():
            yield from self._call(fragment)
        if refusal := delta.get("refusal"):
            self._refused = True
            yield TextDelta(refusal)
        self._memory.note(delta)

    def _pieces(self, content: list[JsonObject]) -> Iterator[Part]:
        """Some servers send their reasoning among the pieces of the text."""
        for piece in content:
            if piece.get("type") == "thinking":
                yield from (ReasoningDelta(each["text"]) for each in piece["thinking"] if each.get("text"))
            else:
                yield from self._words(piece.get("text") or "")

    def _call(self, fragment: JsonObject) -> Iterator[Part]:
        function: JsonObject = fragment.get("function") or {}
        yield from self._calls.fragment(
            index=fragment.get("index"),
            call_id=fragment.get("id"),
            name=function.get("name"),
            arguments=function.get("arguments") or "",
        )
        if extra := fragment.get("extra_content"):
            self._memory.note_call(self._calls.calls[-1].call_id, extra)


def _usage(usage: JsonObject) -> ModelUsage:
    details: JsonObject = usage.get("prompt_tokens_details") or {}
    reported = Usage(
        input_tokens=usage.get("prompt_tokens") or 0,
        output_tokens=usage.get("completion_tokens") or 0,
        cached_tokens=details.get("cached_tokens"),
        calls=1,
    )
    return ModelUsage(reported, cache_write_tokens=details.get("cache_write_tokens") or 0)


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
