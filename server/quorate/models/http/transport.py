"""One streamed HTTP answer: opened, read under its deadlines, decoded, and closed whatever happens."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Final, TypeAlias

import httpx2

from quorate.models.decoding import Decoder
from quorate.models.errors import ModelError
from quorate.models.faults import Target
from quorate.models.http.events import EventReader
from quorate.models.patience import Patience
from quorate.models.port import Deadlines, Part

Opening: TypeAlias = AbstractAsyncContextManager[AsyncIterator[bytes]]

DONE: Final = b"[DONE]"


def connect_timeout(deadlines: Deadlines) -> httpx2.Timeout:
    """Only connecting is left to the HTTP client: it knows one time-out for reading, and we have three."""
    return httpx2.Timeout(None, connect=deadlines.connect, pool=deadlines.connect)


async def read_answer(opening: Opening, decoder: Decoder, deadlines: Deadlines, target: Target) -> AsyncGenerator[Part]:
    patience = Patience(deadlines, target)
    events = EventReader()
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout_at(patience.ends_at):
                chunks = await stack.enter_async_context(opening)
            more = True
            while more:
                async with asyncio.timeout_at(patience.ends_at):
                    chunk = await anext(chunks, b"")
                more = bool(chunk)
                for data in events.feed(chunk) if more else events.rest():
                    for part in _parts(data, decoder, target):
                        yield part
                patience.renew(answered=decoder.finished)
        except TimeoutError:
            if not decoder.finished:
                raise patience.lost() from None
        except httpx2.RequestError:
            if not decoder.finished:
                message = f"The connection to {target.provider} broke in mid-answer: check the network and try again."
                raise ModelError("connection", message) from None
    for part in decoder.end():
        yield part


def _parts(data: bytes, decoder: Decoder, target: Target) -> Sequence[Part]:
    if data == DONE:
        return ()
    try:
        return decoder.decode(json.loads(data))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        # Decoders take the providers' shapes for granted; whatever has another shape is not from a provider.
        message = f"{target.provider} sent something that is no event of its format: try again, or check base_url."
        raise ModelError("garbled_stream", message) from error
