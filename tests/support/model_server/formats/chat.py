"""OpenAI's chat completions, as OpenAI and the many servers that imitate it speak them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import assert_never

from tests.support.model_server.faults import Fault
from tests.support.model_server.formats.openai_errors import openai_error
from tests.support.model_server.formats.openai_rules import chat_objection
from tests.support.model_server.frames import Frame, JsonObject
from tests.support.model_server.replies import Answer, Reasoning, Refusal, Text, ToolCall
from tests.support.model_server.request import Request

CREATED = 1_780_000_000
OBFUSCATION = "aKx3"


class ChatCompletions:
    def body(self, answer: Answer, request: Request) -> JsonObject:
        message: JsonObject = {
            "role": "assistant",
            "content": _joined(answer, Text),
            "refusal": _joined(answer, Refusal),
            "annotations": [],
        }
        if reasoning := _joined(answer, Reasoning):
            message[answer.quirks.reasoning_field] = reasoning
        if tools := _calls(answer, request):
            message["tool_calls"] = [
                {"id": call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call_id, call in tools
            ]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(answer)}
        completion = {**_envelope(request, "chat.completion"), "choices": [choice]}
        return {**completion, "usage": _usage(answer)} if answer.quirks.usage else completion

    def frames(self, answer: Answer, request: Request) -> Sequence[Frame]:
        return list(self._frames(answer, request))

    def error_body(self, fault: Fault, request: Request) -> JsonObject:
        return {"error": openai_error(fault, request)}

    def error_frames(self, fault: Fault, request: Request, _sent: int, /) -> Sequence[Frame]:
        return [Frame("done", self.error_body(fault, request))]

    def headers(self, request: Request) -> dict[str, str]:
        return {"x-request-id": f"req_{request.order:024}"}

    def objection(self, request: Request) -> str | None:
        return chat_objection(request.body)

    def _frames(self, answer: Answer, request: Request) -> Iterator[Frame]:
        options: JsonObject = request.body.get("stream_options") or {}
        wants_usage = bool(options.get("include_usage"))
        chunk = _envelope(request, "chat.completion.chunk")
        if wants_usage:
            chunk["usage"] = None
        if options.get("include_obfuscation", True):
            chunk["obfuscation"] = OBFUSCATION

        def choosing(delta: JsonObject, finish: str | None = None) -> JsonObject:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
            return {**chunk, "choices": [choice]}

        yield Frame("frame", choosing({"role": "assistant", "content": "", "refusal": None}))
        for delta in chain(_spoken(answer), _called(answer, request)):
            yield Frame("delta", choosing(delta))
        yield Frame("finish", choosing({}, _finish(answer)))
        if wants_usage and answer.quirks.usage:
            yield Frame("finish", {**chunk, "choices": [], "usage": _usage(answer)})
        yield Frame("done", "[DONE]")


def _spoken(answer: Answer) -> Iterator[JsonObject]:
    for block in answer.blocks:
        match block:
            case Text():
                field = "content"
            case Refusal():
                field = "refusal"
            case Reasoning():
                field = answer.quirks.reasoning_field
            case ToolCall():
                continue
            case _:
                assert_never(block)
        yield from ({field: fragment} for fragment in block.fragments)


def _called(answer: Answer, request: Request) -> Iterator[JsonObject]:
    """The deltas of the calls, one call after the other or, as the index allows, in turn."""
    by_call = [
        list(_call_deltas(index, call_id, call, indexed=answer.quirks.tool_index))
        for index, (call_id, call) in enumerate(_calls(answer, request))
    ]
    ordered: Iterable[JsonObject | None] = chain.from_iterable(
        zip_longest(*by_call) if answer.quirks.interleaved_calls else by_call
    )
    yield from ({"tool_calls": [delta]} for delta in ordered if delta is not None)


def _call_deltas(index: int, call_id: str, call: ToolCall, *, indexed: bool) -> Iterator[JsonObject]:
    place = {"index": index} if indexed else {}
    yield {**place, "id": call_id, "type": "function", "function": {"name": call.name, "arguments": ""}}
    yield from ({**place, "function": {"arguments": fragment}} for fragment in call.fragments)


def _calls(answer: Answer, request: Request) -> list[tuple[str, ToolCall]]:
    tools = [block for block in answer.blocks if isinstance(block, ToolCall)]
    return [(call.call_id or f"call_{request.order}_{index}", call) for index, call in enumerate(tools)]


def _joined(answer: Answer, kind: type[Text | Refusal | Reasoning]) -> str | None:
    return "".join(part for block in answer.blocks if isinstance(block, kind) for part in block.fragments) or None


def _finish(answer: Answer) -> str:
    match answer.finish:
        case "length" | "window_full":
            return "length"
        case "filtered":
            return "content_filter"
        case "complete" | "refused":
            return "tool_calls" if any(isinstance(block, ToolCall) for block in answer.blocks) else "stop"
        case _:
            assert_never(answer.finish)


def _usage(answer: Answer) -> JsonObject:
    usage = answer.usage
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {
            "cached_tokens": usage.cached,
            "cache_write_tokens": usage.cache_written,
            "audio_tokens": 0,
        },
        "completion_tokens_details": {
            "reasoning_tokens": usage.reasoning,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


def _envelope(request: Request, kind: str) -> JsonObject:
    return {
        "id": f"chatcmpl-{request.order}",
        "object": kind,
        "created": CREATED,
        "model": request.model,
        "service_tier": "default",
        "system_fingerprint": "fp_scripted",
    }
