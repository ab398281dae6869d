"""OpenAI's responses, spoken with OpenAI itself."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Final

from teamwright.models.adapter import Generation, JsonObject, StreamEnding
from teamwright.models.arguments import object_text
from teamwright.models.assembly import ToolCallAssembly
from teamwright.models.faults import ProviderWords, Target, provider_fault
from teamwright.models.http.openai_client import OpenAiClient
from teamwright.models.http.responses_request import responses_body
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

_REASONING: Final = {"response.reasoning_summary_text.delta", "response.reasoning_text.delta"}


class ResponsesAdapter:
    def __init__(self, client: OpenAiClient, target: Target, generation: Generation) -> None:
        self._client = client
        self._target = target
        self._generation = generation
        self._origin = f"responses {target.host} {generation.model}"

    def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        body = responses_body(request, self._generation, origin=self._origin)
        opening = self._client.responses(body, request.deadlines, self._target)
        decoder = ResponsesDecoder(request, self._target, self._origin)
        return streamed_answer(opening, decoder, request.deadlines, self._target)


class ResponsesDecoder:
    def __init__(self, request: ModelRequest, target: Target, origin: str) -> None:
        self._target = target
        self._origin = origin
        self._calls = ToolCallAssembly(request, target)
        self._ending = StreamEnding(target, self._calls)
        self._items: list[JsonObject] = []
        self._refused = False

    @property
    def finished(self) -> bool:
        return self._ending.reason is not None

    def decode(self, event: JsonObject) -> Sequence[Part]:
        name: str = event["type"]
        if name == "response.output_text.delta":
            self._ending.note_text(event["delta"])
            return (TextDelta(event["delta"]),)
        if name in _REASONING:
            return (ReasoningDelta(event["delta"]),)
        if name == "response.function_call_arguments.delta":
            return self._fragment(event, None, None, event["delta"])
        return self._rare(name, event)

    def end(self) -> Iterator[Part]:
        return self._ending.parts(self._replay())

    def _rare(self, name: str, event: JsonObject) -> Sequence[Part]:
        match name:
            case "response.refusal.delta":
                self._refused = True
                return (TextDelta(event["delta"]),)
            case "response.output_item.added" if event["item"]["type"] == "function_call":
                item = event["item"]
                return self._fragment(event, item["call_id"], item["name"], "")
            case "response.output_item.done":
                self._items.append(event["item"])
            case "response.completed" | "response.incomplete":
                self._close(event["response"])
            case "error":
                raise provider_fault(self._target, ProviderWords.of_body(event))
            case "response.failed":
                raise provider_fault(self._target, ProviderWords.of_body(event["response"]))
            case _:
                pass
        return ()

    def _fragment(self, event: JsonObject, call_id: str | None, name: str | None, arguments: str) -> Sequence[Part]:
        return list(self._calls.fragment(index=event["output_index"], call_id=call_id, name=name, arguments=arguments))

    def _close(self, response: JsonObject) -> None:
        if usage := response.get("usage"):
            self._ending.usage = _usage(usage)
        self._ending.reason = _reason(response, refused=self._refused)

    def _replay(self) -> Replay | None:
        """Only encrypted reasoning has to go back; where there is none, the text and the calls say everything."""
        items = [item for item in self._items if item["type"] != "reasoning" or item.get("encrypted_content")]
        if not any(item["type"] == "reasoning" for item in items):
            return None
        ids = {call.given_id: call.call_id for call in self._calls.calls}
        return Replay(self._origin, tuple(_sent_back(item, ids) for item in items))


def _sent_back(item: JsonObject, ids: dict[str | None, str]) -> JsonObject:
    if item["type"] != "function_call":
        return item
    return item | {"call_id": ids[item["call_id"]], "arguments": object_text(item["arguments"])}


def _reason(response: JsonObject, *, refused: bool) -> FinishReason:
    if refused:
        return "content_filter"
    details: JsonObject = response.get("incomplete_details") or {}
    match details.get("reason"):
        case None:
            return "stop"
        case "content_filter":
            return "content_filter"
        case _:
            return "length"


def _usage(usage: JsonObject) -> ModelUsage:
    details: JsonObject = usage.get("input_tokens_details") or {}
    reported = Usage(
        input_tokens=usage["input_tokens"],
        output_tokens=usage["output_tokens"],
        cached_tokens=details.get("cached_tokens"),
        calls=1,
    )
    return ModelUsage(reported, cache_write_tokens=details.get("cache_write_tokens") or 0)
