"""The body of a request to OpenAI's responses. Pure. Nothing is stored at the provider."""

from collections.abc import Iterator
from typing import Final, assert_never

from teamwright.models.adapter import Generation, JsonObject, data_url
from teamwright.models.http.chat_request import arguments_text
from teamwright.models.port import (
    Message,
    ModelReply,
    ModelRequest,
    NamedTool,
    ToolChoice,
    ToolResultMessage,
    UserPrompt,
)

# These answer 400 when they are asked about reasoning; every later family reasons.
_WITHOUT_REASONING: Final = ("gpt-3", "gpt-4", "chatgpt")


def responses_body(request: ModelRequest, generation: Generation, *, origin: str) -> JsonObject:
    body: JsonObject = {
        "model": generation.model,
        "input": [item for message in request.messages for item in _items(message, origin)],
        "store": False,
    }
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.schema),
                "strict": False,
            }
            for tool in request.tools
        ]
        body["tool_choice"] = _tool_choice(request.tool_choice)
    options = {
        "instructions": request.system or None,
        "max_output_tokens": request.max_output_tokens or generation.max_output_tokens,
        "temperature": generation.temperature,
        **_reasoning(generation),
    }
    return body | {name: value for name, value in options.items() if value is not None}


def _reasoning(generation: Generation) -> JsonObject:
    if generation.model.startswith(_WITHOUT_REASONING):
        return {}
    wanted = {"effort": generation.effort, "summary": generation.summary}
    return {
        "include": ["reasoning.encrypted_content"],
        "reasoning": {name: value for name, value in wanted.items() if value is not None} or None,
    }


def _items(message: Message, origin: str) -> Iterator[JsonObject]:
    match message:
        case UserPrompt(text, images):
            pictures = [{"type": "input_image", "detail": "auto", "image_url": data_url(image)} for image in images]
            yield {"role": "user", "content": [{"type": "input_text", "text": text}, *pictures]}
        case ModelReply(replay=replay) if replay is not None and replay.origin == origin:
            yield from map(dict, replay.content)
        case ModelReply(text, calls):
            if text:
                yield {"role": "assistant", "content": text}
            for call in calls:
                yield {
                    "type": "function_call",
                    "call_id": call.call_id,
                    "name": call.name,
                    "arguments": arguments_text(call),
                }
        case ToolResultMessage(call_id, text, is_error):
            # The format has no field for it.
            output = f"Error: {text}" if is_error else text
            yield {"type": "function_call_output", "call_id": call_id, "output": output}
        case _:
            assert_never(message)


def _tool_choice(choice: ToolChoice) -> str | JsonObject:
    return {"type": "function", "name": choice.name} if isinstance(choice, NamedTool) else choice
