"""The body of a chat completions request. Pure."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, assert_never

from teamwright.models.adapter import Generation, JsonObject, data_url
from teamwright.models.port import (
    Message,
    ModelReply,
    ModelRequest,
    ModelToolCall,
    NamedTool,
    ToolChoice,
    ToolResultMessage,
    UserPrompt,
)


@dataclass(frozen=True, slots=True)
class ChatDialect:
    """In what the many servers differ that speak this format."""

    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The imitators know the old name; OpenAI's own models refuse it."""
    asks_for_usage: bool = True


def chat_body(request: ModelRequest, generation: Generation, dialect: ChatDialect, *, origin: str) -> JsonObject:
    body: JsonObject = {"model": generation.model, "messages": list(_messages(request, origin))}
    if dialect.asks_for_usage:
        body["stream_options"] = {"include_usage": True}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)},
            }
            for tool in request.tools
        ]
        body["tool_choice"] = _tool_choice(request.tool_choice)
    options = {
        dialect.limit_field: request.max_output_tokens or generation.max_output_tokens,
        "temperature": generation.temperature,
        "reasoning_effort": generation.effort,
    }
    return body | {name: value for name, value in options.items() if value is not None}


def tool_call_entry(call_id: str, name: str, arguments: str) -> JsonObject:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def arguments_text(call: ModelToolCall) -> str:
    return json.dumps(call.arguments, ensure_ascii=False)


def _messages(request: ModelRequest, origin: str) -> Iterator[JsonObject]:
    if request.system:
        yield {"role": "system", "content": request.system}
    for message in request.messages:
        yield _message(message, origin)


def _message(message: Message, origin: str) -> JsonObject:
    match message:
        case UserPrompt(text, ()):
            return {"role": "user", "content": text}
        case UserPrompt(text, images):
            pictures = [{"type": "image_url", "image_url": {"url": data_url(image)}} for image in images]
            return {"role": "user", "content": [{"type": "text", "text": text}, *pictures]}
        case ModelReply(replay=replay) if replay is not None and replay.origin == origin:
            return dict(replay.content[0])
        case ModelReply(text, ()):
            return {"role": "assistant", "content": text}
        case ModelReply(text, calls):
            entries = [tool_call_entry(call.call_id, call.name, arguments_text(call)) for call in calls]
            return {"role": "assistant", "content": text or None, "tool_calls": entries}
        case ToolResultMessage(call_id, text, is_error):
            # The format has no field for it.
            return {"role": "tool", "tool_call_id": call_id, "content": f"Error: {text}" if is_error else text}
        case _:
            assert_never(message)


def _tool_choice(choice: ToolChoice) -> str | JsonObject:
    if isinstance(choice, NamedTool):
        return {"type": "function", "function": {"name": choice.name}}
    return choice
