"""One answer as it arrives: its lines, how long it may still be waited for, and its end, whatever happens."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from types import TracebackType
from typing import Final, Protocol, TypeAlias

from teamwright.models.adapter import Decoder
from teamwright.models.answer_bounds import AnswerBounds, endless
from teamwright.models.errors import ModelError
from teamwright.models.faults import Target, garbled
from teamwright.models.limits import MAX_LINE_BYTES, MAX_OPENINGS
from teamwright.models.port import Deadlines, Part

# After the answer's end the rest of the stream is still read, so that the connection can serve the next request.
LINGER_SECONDS: Final = 2.0
# Decoders take the provider's shapes for granted; whatever has another shape is not from a provider.
NO_EVENT: Final = (AttributeError, LookupError, TypeError, ValueError, RecursionError)
Opening: TypeAlias = AbstractAsyncContextManager[AsyncIterator[bytes]]
"""Raises ModelError when the answer cannot be had, or breaks off."""


class StreamDeadline:
    """A context around every wait of one answer. Raises ModelError when the wait takes too long.

    It is `asyncio.timeout` with one timer for the whole answer, which looks at the clock when it fires: a timer for
    each chunk would cost as much as reading the chunk.
    """

    def __init__(self, deadlines: Deadlines, target: Target) -> None:
        self._deadlines = deadlines
        self._target = target
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._whole_ends_at = now + deadlines.whole
        self._ends_at = min(now + deadlines.first_byte, self._whole_ends_at)
        self._begun = False
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: asyncio.Task[object] | None = None
        self._cancellations = 0
        self._timed_out = False

    def renew(self, *, answered: bool) -> None:
        """After every sign of life."""
        self._begun = True
        silence = LINGER_SECONDS if answered else self._deadlines.idle
        self._ends_at = min(self._loop.time() + silence, self._whole_ends_at)
        if self._timer is not None and self._timer.when() > self._ends_at:
            self.stop()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def __enter__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("an answer can only be read in a task")
        self._waiting = task
        self._cancellations = task.cancelling()
        if self._timer is None:
            self._timer = self._loop.call_at(self._ends_at, self._on_timer)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        task, self._waiting = self._waiting, None
        if self._timed_out and task is not None:
            self._timed_out = False
            # Someone else may have cancelled the task too, and then it is cancelled.
            if task.uncancel() <= self._cancellations and kind is asyncio.CancelledError:
                raise self._lost() from None

    def _on_timer(self) -> None:
        self._timer = None
        if self._waiting is None:
            return
        if self._loop.time() < self._ends_at:
            self._timer = self._loop.call_at(self._ends_at, self._on_timer)
        else:
            self._timed_out = True
            self._waiting.cancel()

    def _lost(self) -> ModelError:
        who, limits = self._target.provider, self._deadlines
        if self._ends_at >= self._whole_ends_at:
            return ModelError("timeout", f"{who} took too long to answer: ask for less, or raise timeout_seconds.")
        if self._begun:
            return ModelError("stalled", f"{who} fell silent in mid-answer for {limits.idle:g} s: try again.")
        message = f"{who} did not begin to answer within {limits.first_byte:g} s: try again, or choose another model."
        return ModelError("timeout", message)


class LineReader:
    def __init__(self, target: Target) -> None:
        self._target = target
        self._pieces: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that this chunk completes."""
        *lines, rest = chunk.split(b"\n")
        if lines and self._pieces:
            lines[0] = b"".join((*self._pieces, lines[0]))
            self._pieces, self._size = [], 0
        if rest:
            self._size += len(rest)
            if self._size > MAX_LINE_BYTES:
                raise endless(self._target, f"a line of more than {MAX_LINE_BYTES} bytes")
            self._pieces.append(rest)
        return lines

    def rest(self) -> bytes:
        """What came after the last end of a line."""
        return b"".join(self._pieces)


class Unwrapping(Protocol):
    """Takes a decoder's events out of the bytes that carry them."""

    def feed(self, chunk: bytes) -> Sequence[Part]: ...

    def rest(self) -> Sequence[Part]: ...


async def read_answer(
    opening: Opening, unwrapping: Unwrapping, decoder: Decoder, deadline: StreamDeadline, target: Target
) -> AsyncGenerator[Part]:
    """Once the decoder has seen the answer's end, nothing that happens to the rest of the stream matters."""
    bounds = AnswerBounds(target)
    try:
        async with AsyncExitStack() as stack:
            stack.callback(deadline.stop)
            with deadline:
                chunks = await stack.enter_async_context(opening)
            while True:
                with deadline:
                    chunk = await anext(chunks, None)
                if chunk is None:
                    break
                for part in unwrapping.feed(chunk):
                    yield bounds.within(part)
                deadline.renew(answered=decoder.finished)
            for part in unwrapping.rest():
                yield bounds.within(part)
    except ModelError:
        if not decoder.finished:
            raise
    for part in _last_parts(decoder, target):
        yield bounds.within(part)


def _last_parts(decoder: Decoder, target: Target) -> Sequence[Part]:
    try:
        return list(decoder.end())
    except NO_EVENT as error:
        raise garbled(target) from error


def json_of(data: bytes) -> object:
    """Raises ValueError, also for what would take long to read."""
    if len(data) > MAX_OPENINGS and data.count(b"{") + data.count(b"[") > MAX_OPENINGS:
        raise ValueError("too many parts")
    return json.loads(data)
