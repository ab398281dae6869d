"""One answer of a model, followed as it streams: items for the transcript, and what it came to for whoever asked."""

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import assert_never

from teamwright.models.port import (
    FinishReason,
    Model,
    ModelRequest,
    ModelToolCall,
    ModelUsage,
    Notice,
    Part,
    ReasoningDelta,
    Replay,
    Restarted,
    StreamFinished,
    TextDelta,
    ToolArgumentsDelta,
    ToolCallCompleted,
    ToolCallInvalid,
    ToolCallStarted,
)
from teamwright.protocol.events import ItemFinished, NoticeRaised
from teamwright.protocol.items import AssistantMessage, Reasoning
from teamwright.protocol.records import Scope
from teamwright.runtime.characters import is_whole, whole_text
from teamwright.runtime.journal import Journal
from teamwright.runtime.sessions.streamed_item import StreamedItem, TextItemType

_HALVES = "The arguments hold half a character (a lone surrogate). Call it again with whole text."

Spent = Callable[[ModelUsage], None]


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer: its text, and the calls in it, those that must not run with the reason."""

    text: str
    calls: tuple[ModelToolCall | ToolCallInvalid, ...]
    reason: FinishReason
    replay: Replay | None
    # What ends its last item, where that is left to whoever records what comes of the answer.
    ending: tuple[ItemFinished, ...] = ()


async def text_alone(model: Model, request: ModelRequest, spent: Spent) -> str:
    """What a model says without a trace in the log; what it calls is not carried out. Raises ModelError."""
    text: list[str] = []
    async with aclosing(model.stream(request)) as parts:
        async for part in parts:
            match part:
                case TextDelta(piece):
                    text.append(whole_text(piece))
                case ModelUsage():
                    spent(part)
                case Restarted():
                    text.clear()
                case _:
                    pass
    return "".join(text).strip()


class AnswerStream:
    """Reasoning is kept apart from the text, and nothing is shown twice when the provider had to be asked again."""

    def __init__(
        self,
        journal: Journal,
        scope: Scope,
        spent: Spent,
        *,
        text_kind: TextItemType = AssistantMessage,
        step: int | None = None,
        ends_turn: Callable[[], bool] = lambda: False,
        as_told: Callable[[ItemFinished], ItemFinished] = lambda event: event,
        leaves_end: bool = False,
    ) -> None:
        """`ends_turn`: whether an answer without calls would be the last of its turn.

        `as_told`: the end of a complete answer's last item, as it goes into the log.

        `leaves_end`: whether a fact about a complete answer follows at once, with which its end goes into the log.
        """
        self._journal = journal
        self._scope = scope
        self._spent = spent
        self._text_kind = text_kind
        self._step = step
        self._ends_turn = ends_turn
        self._as_told = as_told
        self._leaves_end = leaves_end
        self._items: list[StreamedItem] = []
        self._open: TextItemType | None = None
        self._text: list[str] = []
        self._calls: list[ModelToolCall | ToolCallInvalid] = []

    async def follow(self, model: Model, request: ModelRequest) -> Reply:
        """Raises ModelError. What was streamed before a failure or a cancellation is kept as it stood."""
        finished: StreamFinished | None = None
        ending: tuple[ItemFinished, ...] = ()
        try:
            async with aclosing(model.stream(request)) as parts:
                async for part in parts:
                    if isinstance(part, StreamFinished):
                        finished = part
                    else:
                        await self._take(part)
            if finished is not None:
                ending = self._left_end()
                await self._complete()
        finally:
            await self._close()
        if finished is None:
            raise RuntimeError("a model's stream ended without saying so")
        return Reply("".join(self._text), tuple(self._calls), finished.reason, finished.replay, ending)

    async def _take(self, part: Part) -> None:
        match part:
            case TextDelta(text):
                self._text.append(whole_text(text))
                await self._write(self._text_kind, self._text[-1])
            case ReasoningDelta(text):
                await self._write(Reasoning, whole_text(text))
            case ToolCallCompleted(call):
                self._calls.append(
                    call if is_whole(call.arguments) else ToolCallInvalid(call.call_id, call.name, _HALVES)
                )
            case ToolCallInvalid():
                self._calls.append(part)
            case ModelUsage():
                self._spent(part)
            case Notice(text):
                self._journal.announce(NoticeRaised(level="info", text=text), self._scope)
            case Restarted():
                self._text.clear()
                self._calls.clear()
                await self._discard()
            case ToolCallStarted() | ToolArgumentsDelta() | StreamFinished():
                pass
            case _:
                assert_never(part)

    async def _write(self, kind: TextItemType, text: str) -> None:
        if self._open is not kind:
            await self._close()
            self._items.append(await StreamedItem.begin(kind, self._journal, self._scope, self._step))
            self._open = kind
        self._items[-1].feed(text)

    def _left_end(self) -> tuple[ItemFinished, ...]:
        if not self._leaves_end or self._open is None:
            return ()
        self._open = None
        return (self._items[-1].ended(),)

    async def _complete(self) -> None:
        if self._open is not None:
            self._open = None
            ended = self._items[-1].ended(ends_turn=not self._calls and self._ends_turn())
            await self._journal.append(self._as_told(ended), self._scope)

    async def _close(self) -> None:
        if self._open is not None:
            self._open = None
            await self._items[-1].finish()

    async def _discard(self) -> None:
        """Also the items that were finished already: their last word is the one that counts."""
        self._open = None
        for item in self._items:
            await item.finish(discarded=True)
        self._items.clear()
