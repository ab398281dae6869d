"""The body of a request to Anthropic's messages. Pure. The stable prefix and the last blocks are cached."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from teamwright.models.adapter import Effort, Generation, JsonObject, base64_of
from teamwright.models.port import (
    Message,
    ModelReply,
    ModelRequest,
    NamedTool,
    ToolResultMessage,
    ToolSpec,
    UserPrompt,
)

DEFAULT_MAX_TOKENS: Final = 16_000
CACHED: Final[JsonObject] = {"cache_control": {"type": "ephemeral"}}

# Before they could decide by themselves how long to think, models were given a budget of tokens.
_THINKS_BY_BUDGET: Final = re.compile(r"claude-(?:3|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8})?$)")
_BUDGETS: Final[dict[Effort, int]] = {
    "minimal": 1024,
    "low": 2048,
    "medium": 8192,
    "high": 16_384,
    "xhigh": 24_576,
    "max": 32_000,
}


def messages_body(request: ModelRequest, generation: Generation, *, origin: str) -> JsonObject:
    thinking = _thinking(generation)
    limit = request.max_output_tokens or generation.max_output_tokens or DEFAULT_MAX_TOKENS
    budget: int = thinking.get("thinking", {}).get("budget_tokens", 0)
    body: JsonObject = {
        "model": generation.model,
        # The budget is part of the limit; what is left over is for the answer.
        "max_tokens": limit + budget,
        "messages": _conversation(request.messages, origin),
        **thinking,
    }
    if request.system:
        body["system"] = [{"type": "text", "text": request.system, **CACHED}]
    if request.tools:
        body["tools"] = _tools(request.tools, cached=not request.system)
        forced_free = bool(thinking) and thinking["thinking"]["type"] != "disabled"
        body["tool_choice"] = _tool_choice(request, may_force=not forced_free)
    return body


def tool_use_id(call_id: str) -> str:
    """Ids may come from another provider of the same session, and Anthropic accepts fewer characters."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", call_id)


def _thinking(generation: Generation) -> JsonObject:
    effort = generation.effort
    if effort is None:
        return {}
    if effort == "none":
        return {"thinking": {"type": "disabled"}}
    if _THINKS_BY_BUDGET.match(generation.model):
        return {"thinking": {"type": "enabled", "budget_tokens": _BUDGETS[effort]}}
    return {
        "thinking": {"type": "adaptive", "display": "summarized"},
        "output_config": {"effort": "low" if effort == "minimal" else effort},
    }


def _tools(tools: Sequence[ToolSpec], *, cached: bool) -> list[JsonObject]:
    shown: list[JsonObject] = [
        {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)} for tool in tools
    ]
    if cached:
        shown[-1] |= CACHED
    return shown


def _tool_choice(request: ModelRequest, *, may_force: bool) -> JsonObject:
    """A model that thinks cannot be forced to call a tool: the request would be refused."""
    match request.tool_choice:
        case "auto" | "none" as kind:
            return {"type": kind}
        case "required":
            return {"type": "any" if may_force else "auto"}
        case NamedTool(name):
            return {"type": "tool", "name": name} if may_force else {"type": "auto"}
        case _:
            assert_never(request.tool_choice)


def _conversation(messages: Sequence[Message], origin: str) -> list[JsonObject]:
    """Results and what the user says next are one message: Anthropic wants all results right after their calls."""
    turns: list[JsonObject] = []
    for message in messages:
        role = "assistant" if isinstance(message, ModelReply) else "user"
        blocks = list(_blocks(message, origin))
        if not blocks:
            continue
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
    if turns and turns[-1]["role"] == "user":
        # The block before the last, too: the last may hold facts of the moment, and be another one in the next request.
        for block in turns[-1]["content"][-2:]:
            block.update(CACHED)
    return turns


def _blocks(message: Message, origin: str) -> Iterator[JsonObject]:
    match message:
        case UserPrompt(text, images):
            for image in images:
                source = {"type": "base64", "media_type": image.media_type, "data": base64_of(image)}
                yield {"type": "image", "source": source}
            yield from _text(text)
        case ModelReply(replay=replay) if replay is not None and replay.origin == origin:
            yield from map(dict, replay.content)
        case ModelReply(text, calls):
            yield from _text(text)
            for call in calls:
                yield tool_use_block(call.call_id, call.name, dict(call.arguments))
        case ToolResultMessage(call_id, text, is_error):
            result: JsonObject = {"type": "tool_result", "tool_use_id": tool_use_id(call_id), "content": text}
            yield result | {"is_error": True} if is_error else result
        case _:
            assert_never(message)


def tool_use_block(call_id: str, name: str, arguments: JsonObject) -> JsonObject:
    return {"type": "tool_use", "id": tool_use_id(call_id), "name": name, "input": arguments}


def _text(text: str) -> Iterator[JsonObject]:
    """Empty blocks are refused."""
    if text.strip():
        yield {"type": "text", "text": text}
