"""The fenced form: how a model that cannot call tools is told to call one in its text. Pure."""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Final, assert_never

from teamwright.models.adapter import Adapter
from teamwright.models.errors import ModelError
from teamwright.models.fenced_reader import FencedReader
from teamwright.models.port import (
    Message,
    ModelReply,
    ModelRequest,
    NamedTool,
    Part,
    StreamFinished,
    TextDelta,
    ToolCallStarted,
    ToolChoice,
    ToolResultMessage,
    ToolSpec,
    UserPrompt,
)
from teamwright.prompts.assistant.quoting import quoted

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
        if isinstance(message, ModelReply)
        for call in message.tool_calls
    }
    turns: list[UserPrompt | ModelReply] = []
    for message in messages:
        turn = _turn(message, names)
        match turns[-1] if turns else None, turn:
            case UserPrompt(said, images), UserPrompt(text, more):
                turns[-1] = UserPrompt(_joined(said, text), images + more)
            case ModelReply(said), ModelReply(text):
                turns[-1] = ModelReply(_joined(said, text))
            case _:
                turns.append(turn)
    return tuple(turns)


def _turn(message: Message, names: Mapping[str, str]) -> UserPrompt | ModelReply:
    match message:
        case UserPrompt():
            return message
        case ModelReply(text, calls):
            blocks = (fenced_call(call.name, call.arguments) for call in calls)
            return ModelReply(_joined(text, *blocks))
        case ToolResultMessage(call_id, text, is_error):
            outcome = "Error" if is_error else "Result"
            # It stands in a message of the user's, and is not the user's word.
            return UserPrompt(f"{outcome} of {names.get(call_id, 'the tool')}:\n{quoted('output', text)}")
        case _:
            assert_never(message)


def _joined(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))


class FencedAdapter:
    def __init__(self, text_only: Adapter) -> None:
        self._text_only = text_only

    def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        parts = self._text_only.attempt(without_tools(request))
        if not request.tools or request.tool_choice == "none":
            return parts
        return _with_calls(parts, FencedReader(request))


async def _with_calls(answer: AsyncGenerator[Part], reader: FencedReader) -> AsyncGenerator[Part]:
    async with aclosing(answer) as parts:
        async for part in parts:
            match part:
                case TextDelta(text):
                    for said in reader.feed(text):
                        yield said
                case StreamFinished(reason):
                    called = False
                    for last in reader.end(reason):
                        called = called or isinstance(last, ToolCallStarted)
                        yield last
                    yield StreamFinished("tool_calls" if called and reason == "stop" else reason)
                case _:
                    yield part


@dataclass(slots=True)
class ToolForm:
    """What is known of one model, as long as the process lives."""

    fenced: bool = False


class NativeOrFenced:
    """The provider's own form, until the model turns out to have none."""

    def __init__(self, native: Adapter, form: ToolForm) -> None:
        self._native = native
        self._form = form

    async def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        if not self._form.fenced:
            try:
                async with aclosing(self._native.attempt(request)) as parts:
                    async for part in parts:
                        yield part
                    return
            except ModelError as error:
                if error.kind != "tools_unsupported":
                    raise
                self._form.fenced = True
        async with aclosing(FencedAdapter(self._native).attempt(request)) as parts:
            async for part in parts:
                yield part
