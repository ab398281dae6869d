"""One answer, whatever carries it: opened, read under its deadlines, decoded, and closed whatever happens."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Protocol, TypeAlias

from quorate.models.decoding import Decoder
from quorate.models.errors import ModelError
from quorate.models.patience import Patience
from quorate.models.port import Part

Opening: TypeAlias = AbstractAsyncContextManager[AsyncIterator[bytes]]
"""Raises ModelError when the answer cannot be had, or breaks off."""


class Unwrapping(Protocol):
    """Takes a decoder's events out of the bytes that carry them."""

    def feed(self, chunk: bytes) -> Sequence[Part]: ...

    def rest(self) -> Sequence[Part]: ...


async def read_answer(
    opening: Opening, unwrapping: Unwrapping, decoder: Decoder, patience: Patience
) -> AsyncGenerator[Part]:
    """Once the decoder has seen the answer's end, nothing that happens to the rest of the stream matters."""
    try:
        async with AsyncExitStack() as stack:
            stack.callback(patience.stop)
            with patience:
                chunks = await stack.enter_async_context(opening)
            while True:
                with patience:
                    chunk = await anext(chunks, None)
                if chunk is None:
                    break
                for part in unwrapping.feed(chunk):
                    yield part
                patience.renew(answered=decoder.finished)
            for part in unwrapping.rest():
                yield part
    except ModelError:
        if not decoder.finished:
            raise
    for part in decoder.end():
        yield part
