"""The fenced form: how a model that cannot call tools is told to call one in its text. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, assert_never

from quorate.models.port import (
    AssistantMessage,
    Message,
    ModelRequest,
    NamedTool,
    ToolChoice,
    ToolResultMessage,
    ToolSpec,
    UserMessage,
)

_INSTRUCTION: Final = """\
# Tools

You can call a tool. To do so, end your answer with a fenced block of exactly this form and write nothing after it:

```json
{"tool": "<name>", "arguments": {…}}
```

At most one call an answer; its result comes with the next message. An answer without such a block calls nothing.
"""


def without_tools(request: ModelRequest) -> ModelRequest:
    """The same request for a model that only knows text."""
    system = request.system
    if request.tools and request.tool_choice != "none":
        system = "\n\n".join(filter(None, (system, instruction(request.tools, request.tool_choice))))
    return replace(request, system=system, messages=_as_text(request.messages), tools=(), tool_choice="auto")


def instruction(tools: Sequence[ToolSpec], choice: ToolChoice) -> str:
    described = "\n".join(
        f"- `{tool.name}`: {tool.description}\n  Arguments: {json.dumps(dict(tool.schema), ensure_ascii=False)}"
        for tool in tools
    )
    match choice:
        case "required":
            duty = "\nEvery answer must end with such a call.\n"
        case NamedTool(name):
            duty = f"\nThis answer must end with a call of `{name}`.\n"
        case "auto" | "none":
            duty = ""
        case _:
            assert_never(choice)
    return f"{_INSTRUCTION}{duty}\nThe tools:\n{described}"


def fenced_call(name: str, arguments: Mapping[str, Any]) -> str:
    call = json.dumps({"tool": name, "arguments": dict(arguments)}, ensure_ascii=False)
    return f"```json\n{call}\n```"


def _as_text(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Results are said by the user; what one side says in a row is one message, for many models insist on turns."""
    names = {
        call.call_id: call.name
        for message in messages
        if isinstance(message, AssistantMessage)
        for call in message.tool_calls
    }
    turns: list[UserMessage | AssistantMessage] = []
    for message in messages:
        turn = _turn(message, names)
        match turns[-1] if turns else None, turn:
            case UserMessage(said, images), UserMessage(text, more):
                turns[-1] = UserMessage(_joined(said, text), images + more)
            case AssistantMessage(said), AssistantMessage(text):
                turns[-1] = AssistantMessage(_joined(said, text))
            case _:
                turns.append(turn)
    return tuple(turns)


def _turn(message: Message, names: Mapping[str, str]) -> UserMessage | AssistantMessage:
    match message:
        case UserMessage():
            return message
        case AssistantMessage(text, calls):
            blocks = (fenced_call(call.name, call.arguments) for call in calls)
            return AssistantMessage(_joined(text, *blocks))
        case ToolResultMessage(call_id, text, is_error):
            outcome = "Error" if is_error else "Result"
            return UserMessage(f"{outcome} of {names.get(call_id, 'the tool')}:\n{text}")
        case _:
            assert_never(message)


def _joined(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))
