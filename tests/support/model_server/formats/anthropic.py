"""Anthropic's messages."""

import json
from collections.abc import Iterator, Sequence
from typing import assert_never

from tests.support.model_server.faults import Fault, FaultKind, ProviderError
from tests.support.model_server.formats.anthropic_rules import messages_objection
from tests.support.model_server.frames import Frame, JsonObject, Part
from tests.support.model_server.replies import Answer, Block, Reasoning, Refusal, Text, ToolCall
from tests.support.model_server.request import Request


class Messages:
    def body(self, answer: Answer, request: Request) -> JsonObject:
        content = [_whole(block, _call_id(block, index, request)) for index, block in enumerate(answer.blocks)]
        usage = {**_input_usage(answer), "output_tokens": answer.usage.output, "service_tier": "standard"}
        return {**_message(request), "content": content, **_stop(answer), "usage": usage}

    def frames(self, answer: Answer, request: Request) -> Sequence[Frame]:
        return list(_frames(answer, request))

    def error_body(self, fault: Fault, request: Request) -> JsonObject:
        error = _table(request)[fault.kind]
        detail = {"type": error.type, "message": fault.message or error.message}
        return {"type": "error", "error": detail, "request_id": _request_id(request)}

    def error_frames(self, fault: Fault, request: Request, _sent: int, /) -> Sequence[Frame]:
        return [_event("done", self.error_body(fault, request))]

    def headers(self, request: Request) -> dict[str, str]:
        return {"request-id": _request_id(request)}

    def objection(self, request: Request) -> str | None:
        return messages_objection(request.body, request.headers)


def _frames(answer: Answer, request: Request) -> Iterator[Frame]:
    usage = {**_input_usage(answer), "output_tokens": 1, "service_tier": "standard"}
    start: JsonObject = {
        **_message(request),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "stop_details": None,
    }
    yield _event("frame", {"type": "message_start", "message": {**start, "usage": usage}})
    for index, block in enumerate(answer.blocks):
        opening = {"type": "content_block_start", "index": index}
        yield _event("frame", {**opening, "content_block": _empty(block, _call_id(block, index, request))})
        if index == 0:
            yield _event("frame", {"type": "ping"})
        for delta in _deltas(block):
            yield _event("delta", {"type": "content_block_delta", "index": index, "delta": delta})
        if isinstance(block, Reasoning):
            signature = {"type": "signature_delta", "signature": block.signature}
            yield _event("frame", {"type": "content_block_delta", "index": index, "delta": signature})
        yield _event("frame", {"type": "content_block_stop", "index": index})
    yield _event(
        "finish",
        {
            "type": "message_delta",
            "delta": _stop(answer),
            "usage": {
                **{name: count for name, count in _input_usage(answer).items() if name != "cache_creation"},
                "output_tokens": answer.usage.output,
            },
        },
    )
    yield _event("done", {"type": "message_stop"})


def _event(part: Part, data: JsonObject) -> Frame:
    return Frame(part, data, event=data["type"])


def _message(request: Request) -> JsonObject:
    return {"id": f"msg_{request.order:024}", "type": "message", "role": "assistant", "model": request.model}


def _empty(block: Block, call_id: str) -> JsonObject:
    match block:
        case Text() | Refusal():
            return {"type": "text", "text": ""}
        case Reasoning():
            return {"type": "thinking", "thinking": "", "signature": ""}
        case ToolCall():
            return {
                "type": "tool_use",
                "id": call_id,
                "name": block.name,
                "input": {},
                "caller": {"type": "direct"},
            }
        case _:
            assert_never(block)


def _deltas(block: Block) -> Iterator[JsonObject]:
    match block:
        case Text() | Refusal():
            yield from ({"type": "text_delta", "text": fragment} for fragment in block.fragments)
        case Reasoning():
            yield from ({"type": "thinking_delta", "thinking": fragment} for fragment in block.fragments)
        case ToolCall():
            yield from ({"type": "input_json_delta", "partial_json": piece} for piece in ("", *block.fragments))
        case _:
            assert_never(block)


def _whole(block: Block, call_id: str) -> JsonObject:
    opened = _empty(block, call_id)
    match block:
        case Text() | Refusal():
            return {**opened, "text": "".join(block.fragments)}
        case Reasoning():
            return {**opened, "thinking": "".join(block.fragments), "signature": block.signature}
        case ToolCall():
            return {**opened, "input": json.loads(block.arguments)}
        case _:
            assert_never(block)


def _call_id(block: Block, index: int, request: Request) -> str:
    given = block.call_id if isinstance(block, ToolCall) else None
    return given or f"toolu_{request.order}_{index}"


def _stop(answer: Answer) -> JsonObject:
    match answer.finish:
        case "length":
            reason = "max_tokens"
        case "window_full":
            reason = "model_context_window_exceeded"
        case "filtered" | "refused":
            reason = "refusal"
        case "complete":
            reason = "tool_use" if any(isinstance(block, ToolCall) for block in answer.blocks) else "end_turn"
        case _:
            assert_never(answer.finish)
    details = {"type": "refusal", "category": None, "explanation": None} if reason == "refusal" else None
    return {"stop_reason": reason, "stop_sequence": None, "stop_details": details}


def _input_usage(answer: Answer) -> JsonObject:
    usage = answer.usage
    return {
        "input_tokens": usage.input - usage.cached - usage.cache_written,
        "cache_creation_input_tokens": usage.cache_written,
        "cache_read_input_tokens": usage.cached,
        "cache_creation": {
            "ephemeral_5m_input_tokens": usage.cache_written,
            "ephemeral_1h_input_tokens": 0,
        },
    }


def _request_id(request: Request) -> str:
    return f"req_{request.order:024}"


def _table(request: Request) -> dict[FaultKind, ProviderError]:
    invalid = "invalid_request_error"
    return {
        "bad_request": ProviderError(invalid, "messages: Field required"),
        "bad_key": ProviderError("authentication_error", "invalid x-api-key"),
        "forbidden": ProviderError("permission_error", "Your API key does not have permission to use this resource."),
        "unknown_model": ProviderError("not_found_error", f"model: {request.model}"),
        "timeout": ProviderError("timeout_error", "Request timed out"),
        "too_large": ProviderError("request_too_large", "Request exceeds the maximum size"),
        "rate_limit": ProviderError(
            "rate_limit_error",
            "This request would exceed your organization's rate limit of 30,000 input tokens per minute.",
        ),
        "quota": ProviderError(
            "rate_limit_error",
            "You have reached your specified API usage limits. You will regain access on the first of next month.",
        ),
        "server_error": ProviderError("api_error", "Internal server error"),
        "unavailable": ProviderError("api_error", "Service temporarily unavailable"),
        "overloaded": ProviderError("overloaded_error", "Overloaded"),
        "context_length": ProviderError(invalid, "prompt is too long: 210000 tokens > 200000 maximum"),
    }
