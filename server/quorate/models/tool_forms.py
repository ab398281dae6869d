"""Which form tool calls take: the provider's own, or the fenced one for models and programs that have none."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from quorate.models.adapter import Adapter
from quorate.models.errors import ModelError
from quorate.models.fenced import without_tools
from quorate.models.fenced_reader import FencedReader
from quorate.models.port import Finished, ModelRequest, Part, TextDelta, ToolCallStarted


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
                case Finished(reason):
                    called = False
                    for last in reader.end(reason):
                        called = called or isinstance(last, ToolCallStarted)
                        yield last
                    yield Finished("tool_calls" if called and reason == "stop" else reason)
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
