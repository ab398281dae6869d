"""OpenAI's responses."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import assert_never

from tests.support.model_server.faults import Fault
from tests.support.model_server.formats.openai_errors import openai_error
from tests.support.model_server.formats.openai_rules import responses_objection
from tests.support.model_server.frames import Frame, JsonObject, Part
from tests.support.model_server.replies import Answer, Block, Reasoning, Refusal, Text, ToolCall
from tests.support.model_server.request import Request

CREATED = 1_780_000_000
OBFUSCATION = "aKx3"


class Responses:
    def body(self, answer: Answer, request: Request) -> JsonObject:
        return _final(answer, request)

    def frames(self, answer: Answer, request: Request) -> Sequence[Frame]:
        options: JsonObject = request.body.get("stream_options") or {}
        padding = {"obfuscation": OBFUSCATION} if options.get("include_obfuscation", True) else {}
        events = _frames(answer, request)
        return _numbered((part, {**data, **padding} if part == "delta" else data) for part, data in events)

    def error_body(self, fault: Fault, request: Request) -> JsonObject:
        return {"error": openai_error(fault, request)}

    def error_frames(self, fault: Fault, request: Request, sent: int, /) -> Sequence[Frame]:
        """Both events that the API sends: what went wrong, nested in `error`, and the response that failed of it."""
        error = openai_error(fault, request)
        failed = {
            **_response(request),
            "status": "failed",
            "error": {"code": error["code"] or "server_error", "message": error["message"]},
        }
        events: list[tuple[Part, JsonObject]] = [
            ("done", {"type": "error", "error": error}),
            ("done", {"type": "response.failed", "response": failed}),
        ]
        return _numbered(iter(events), start=sent)

    def headers(self, request: Request) -> dict[str, str]:
        return {"x-request-id": f"req_{request.order:024}"}

    def objection(self, request: Request) -> str | None:
        return responses_objection(request.body)


def _numbered(events: Iterator[tuple[Part, JsonObject]], start: int = 0) -> Sequence[Frame]:
    return [
        Frame(part, {**data, "sequence_number": number}, event=data["type"])
        for number, (part, data) in zip(count(start), events, strict=False)
    ]


def _frames(answer: Answer, request: Request) -> Iterator[tuple[Part, JsonObject]]:
    begun = _response(request)
    yield "frame", {"type": "response.created", "response": begun}
    yield "frame", {"type": "response.in_progress", "response": begun}
    for index, block in enumerate(answer.blocks):
        item = _item(block, index, request, answer)
        place = {"item_id": item["id"], "output_index": index}
        yield (
            "frame",
            {"type": "response.output_item.added", "output_index": index, "item": _begun(block, item)},
        )
        match block:
            case Text():
                yield from _text_events(block, place)
            case Refusal():
                yield from _refusal_events(block, place)
            case Reasoning():
                yield from _reasoning_events(block, place)
            case ToolCall():
                yield from _call_events(block, place)
            case _:
                assert_never(block)
        yield "frame", {"type": "response.output_item.done", "output_index": index, "item": item}
    final = _final(answer, request)
    yield "done", {"type": f"response.{final['status']}", "response": final}


def _text_events(block: Text, place: JsonObject) -> Iterator[tuple[Part, JsonObject]]:
    place = {**place, "content_index": 0}
    yield "frame", {"type": "response.content_part.added", **place, "part": _text_part("")}
    for fragment in block.fragments:
        yield "delta", {"type": "response.output_text.delta", **place, "delta": fragment, "logprobs": []}
    text = "".join(block.fragments)
    yield "frame", {"type": "response.output_text.done", **place, "text": text, "logprobs": []}
    yield "frame", {"type": "response.content_part.done", **place, "part": _text_part(text)}


def _refusal_events(block: Refusal, place: JsonObject) -> Iterator[tuple[Part, JsonObject]]:
    place = {**place, "content_index": 0}
    yield "frame", {"type": "response.content_part.added", **place, "part": {"type": "refusal", "refusal": ""}}
    for fragment in block.fragments:
        yield "delta", {"type": "response.refusal.delta", **place, "delta": fragment}
    refusal = "".join(block.fragments)
    yield "frame", {"type": "response.refusal.done", **place, "refusal": refusal}
    part = {"type": "refusal", "refusal": refusal}
    yield "frame", {"type": "response.content_part.done", **place, "part": part}


def _reasoning_events(block: Reasoning, place: JsonObject) -> Iterator[tuple[Part, JsonObject]]:
    place = {**place, "summary_index": 0}
    name = "response.reasoning_summary"
    yield "frame", {"type": f"{name}_part.added", **place, "part": {"type": "summary_text", "text": ""}}
    for fragment in block.fragments:
        yield "delta", {"type": f"{name}_text.delta", **place, "delta": fragment}
    text = "".join(block.fragments)
    yield "frame", {"type": f"{name}_text.done", **place, "text": text}
    yield "frame", {"type": f"{name}_part.done", **place, "part": {"type": "summary_text", "text": text}}


def _call_events(block: ToolCall, place: JsonObject) -> Iterator[tuple[Part, JsonObject]]:
    name = "response.function_call_arguments"
    for fragment in block.fragments:
        yield "delta", {"type": f"{name}.delta", **place, "delta": fragment}
    yield "frame", {"type": f"{name}.done", **place, "name": block.name, "arguments": block.arguments}


def _item(block: Block, index: int, request: Request, answer: Answer) -> JsonObject:
    """An item of the output as it is when it is done."""
    cut_short = answer.finish in {"length", "filtered", "window_full"} and block is answer.blocks[-1]
    status = "incomplete" if cut_short else "completed"
    suffix = f"{request.order:08}{index:04}"
    match block:
        case Text():
            content = [_text_part("".join(block.fragments))]
            return _said(f"msg_{suffix}", status, content)
        case Refusal():
            return _said(f"msg_{suffix}", status, [{"type": "refusal", "refusal": "".join(block.fragments)}])
        case Reasoning():
            summary = [{"type": "summary_text", "text": "".join(block.fragments)}]
            wanted: Sequence[str] = request.body.get("include") or ()
            sealed = {"encrypted_content": block.signature} if "reasoning.encrypted_content" in wanted else {}
            return {"id": f"rs_{suffix}", "type": "reasoning", "summary": summary, **sealed}
        case ToolCall():
            return {
                "id": f"fc_{suffix}",
                "type": "function_call",
                "status": status,
                "arguments": block.arguments,
                "call_id": block.call_id or f"call_{request.order}_{index}",
                "name": block.name,
            }
        case _:
            assert_never(block)


def _begun(block: Block, item: JsonObject) -> JsonObject:
    """The same item as it is when it is added."""
    match block:
        case Text() | Refusal():
            return {**item, "status": "in_progress", "content": []}
        case Reasoning():
            return {**item, "summary": []}
        case ToolCall():
            return {**item, "status": "in_progress", "arguments": ""}
        case _:
            assert_never(block)


def _said(item_id: str, status: str, content: list[JsonObject]) -> JsonObject:
    return {"id": item_id, "type": "message", "status": status, "role": "assistant", "content": content}


def _text_part(text: str) -> JsonObject:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _final(answer: Answer, request: Request) -> JsonObject:
    reason = {"length": "max_output_tokens", "window_full": "max_output_tokens", "filtered": "content_filter"}
    incomplete = reason.get(answer.finish)
    return {
        **_response(request),
        "status": "incomplete" if incomplete else "completed",
        "completed_at": None if incomplete else CREATED + 1,
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "output": [_item(block, index, request, answer) for index, block in enumerate(answer.blocks)],
        "usage": _usage(answer) if answer.quirks.usage else None,
    }


def _usage(answer: Answer) -> JsonObject:
    usage = answer.usage
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": usage.cache_written},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.input + usage.output,
    }


def _response(request: Request) -> JsonObject:
    """A response that has just begun, with what it repeats of its request."""
    asked = request.body
    reasoning: JsonObject = asked.get("reasoning") or {}
    return {
        "id": f"resp_{request.order:032}",
        "object": "response",
        "created_at": CREATED,
        "completed_at": None,
        "status": "in_progress",
        "background": False,
        "error": None,
        "incomplete_details": None,
        "instructions": asked.get("instructions"),
        "max_output_tokens": asked.get("max_output_tokens"),
        "max_tool_calls": None,
        "metadata": asked.get("metadata") or {},
        "model": request.model,
        "output": [],
        "parallel_tool_calls": asked.get("parallel_tool_calls", True),
        "previous_response_id": asked.get("previous_response_id"),
        "prompt_cache_key": asked.get("prompt_cache_key"),
        "reasoning": {"effort": reasoning.get("effort"), "summary": reasoning.get("summary")},
        "safety_identifier": None,
        "service_tier": "default",
        "store": asked.get("store", True),
        "temperature": asked.get("temperature", 1.0),
        "text": asked.get("text") or {"format": {"type": "text"}, "verbosity": "medium"},
        "tool_choice": asked.get("tool_choice", "auto"),
        "tools": asked.get("tools") or [],
        "top_logprobs": 0,
        "top_p": asked.get("top_p", 1.0),
        "truncation": asked.get("truncation", "disabled"),
        "usage": None,
        "user": None,
    }
