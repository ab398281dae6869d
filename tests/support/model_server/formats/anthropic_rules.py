"""What Anthropic refuses with a 400: missing fields, and conversations that do not hang together."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tests.support.model_server.frames import JsonObject, json_text

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_CACHE_BREAKPOINTS = 4


def messages_objection(body: JsonObject, headers: Mapping[str, str]) -> str | None:
    return next(_objections(body, headers), None)


def _objections(body: JsonObject, headers: Mapping[str, str]) -> Iterator[str]:
    if "anthropic-version" not in headers:
        yield "anthropic-version: header is required"
    if "max_tokens" not in body:
        yield "max_tokens: Field required"
    messages: Sequence[JsonObject] = body.get("messages") or ()
    if not messages:
        yield "messages: at least one message is required"
        return
    if messages[0]["role"] != "user":
        yield 'messages: first message must use the "user" role'
    breakpoints = json_text(body).count('"cache_control":{')
    if breakpoints > _CACHE_BREAKPOINTS:
        yield f"A maximum of 4 blocks with cache_control may be provided. Found {breakpoints}."
    yield from _broken_pairs(messages)


def _broken_pairs(messages: Sequence[JsonObject]) -> Iterator[str]:
    seen: set[str] = set()
    awaited: list[str] = []
    for index, message in enumerate(messages):
        blocks = _blocks(message)
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        for call_id in set(answered) - set(awaited):
            yield f"messages.{index}.content: unexpected `tool_use_id` found in `tool_result` blocks: {call_id}."
        for call_id in set(awaited) - set(answered):
            yield _unanswered(index - 1, call_id)
        if any(block["type"] == "text" and not block["text"] for block in blocks):
            yield "messages: text content blocks must be non-empty"
        awaited = [block["id"] for block in blocks if block["type"] == "tool_use"]
        for call_id in awaited:
            if call_id in seen:
                yield "messages: `tool_use` ids must be unique"
            if not _ID.fullmatch(call_id):
                yield f"messages.{index}.content.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
            seen.add(call_id)
    for call_id in awaited:
        yield _unanswered(len(messages) - 1, call_id)


def _unanswered(index: int, call_id: str) -> str:
    return f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: {call_id}."


def _blocks(message: JsonObject) -> Sequence[JsonObject]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
