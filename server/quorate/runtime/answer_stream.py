"""A model's stream as items of a transcript: reasoning apart from the answer, and nothing shown twice after a retry."""

from contextlib import aclosing

import anyio

from quorate.models.port import (
    Finished,
    Model,
    ModelRequest,
    Notice,
    ReasoningDelta,
    Restarted,
    TextDelta,
    UsageReported,
)
from quorate.protocol.events import NoticeRaised
from quorate.protocol.events import UsageReported as UsageEvent
from quorate.protocol.items import AssistantMessage, Reasoning
from quorate.protocol.usage import Usage
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.streamed_item import StreamedItem, TextItemType


class AnswerStream:
    def __init__(self, journal: Journal, scope: Scope) -> None:
        self._journal = journal
        self._scope = scope
        self._open: tuple[TextItemType, StreamedItem] | None = None
        self.usage = Usage()

    async def follow(self, model: Model, request: ModelRequest) -> None:
        """Until the answer is complete; what was streamed before a failure is kept as it stood."""
        try:
            async with aclosing(model.stream(request)) as parts:
                async for part in parts:
                    match part:
                        case TextDelta(text):
                            await self._write(AssistantMessage, text)
                        case ReasoningDelta(text):
                            await self._write(Reasoning, text)
                        case Restarted():
                            await self._close(discarded=True)
                        case Notice(text):
                            self._journal.announce(NoticeRaised(level="info", text=text), self._scope)
                        case UsageReported(usage, cost_usd=cost):
                            self.usage += usage
                            self._journal.announce(UsageEvent(usage=usage, cost_usd=cost), self._scope)
                        case Finished():
                            break
                        case _:
                            continue
        finally:
            # A cancelled turn still says where its text ended.
            with anyio.CancelScope(shield=True):
                await self._close()

    async def _write(self, kind: TextItemType, text: str) -> None:
        if self._open is None or self._open[0] is not kind:
            await self._close()
            self._open = (kind, await StreamedItem.begin(kind, self._journal, self._scope))
        self._open[1].feed(text)

    async def _close(self, *, discarded: bool = False) -> None:
        if self._open is not None:
            await self._open[1].finish(discarded=discarded)
            self._open = None
