"""A request as texts: the programs take no list of messages, and know no duty to call a tool. Pure."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from teamwright.models.port import (
    Message,
    ModelReply,
    ModelRequest,
    ModelToolCall,
    NamedTool,
    ToolResultMessage,
    UserPrompt,
)
from teamwright.prompts.assistant.quoting import quoted

_FOREWORD: Final = (
    "This is the conversation so far. Give the assistant's next message; do not write the tags.\n"
    "Each message ends only at the closing tag with the mark of its opening one."
)
_EARLIER_CALLS: Final = "\nCalls of tools that were made are shown as text; make your own as real calls."


def system_of(request: ModelRequest) -> str:
    return "\n\n".join(filter(None, (request.system, _duty(request) if request.tools else "")))


def _duty(request: ModelRequest) -> str:
    match request.tool_choice:
        case "required":
            return "Your next message must call a tool."
        case NamedTool(name):
            return f"Your next message must call the tool `{name}`."
        case "auto" | "none":
            return ""
        case _:
            assert_never(request.tool_choice)


def prompt_of(messages: Sequence[Message]) -> str:
    if len(messages) == 1 and isinstance(messages[0], UserPrompt):
        return messages[0].text
    calls = {
        call.call_id: call for message in messages if isinstance(message, ModelReply) for call in message.tool_calls
    }
    foreword = f"{_FOREWORD}{_EARLIER_CALLS if calls else ''}"
    return "\n\n".join((foreword, *(_turn(message, calls) for message in messages)))


def _turn(message: Message, calls: Mapping[str, ModelToolCall]) -> str:
    match message:
        case UserPrompt(text):
            return quoted("user", text)
        case ModelReply(text, made):
            said = "\n".join(filter(None, (text, *map(_call, made))))
            return quoted("assistant", said)
        case ToolResultMessage(call_id, text, is_error):
            tag = "tool_error" if is_error else "tool_result"
            return quoted(tag, text, name=calls[call_id].name if call_id in calls else "")
        case _:
            assert_never(message)


def _call(call: ModelToolCall) -> str:
    return f'<tool_call name="{call.name}">{json.dumps(dict(call.arguments), ensure_ascii=False)}</tool_call>'
