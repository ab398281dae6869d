"""What the HTTP adapters share: server-sent events on their way to a decoder, and time-outs in the client's terms."""

import json
from collections.abc import AsyncGenerator, Sequence
from typing import Final

import httpx2

from quorate.models.decoding import Decoder
from quorate.models.errors import ModelError
from quorate.models.faults import Target
from quorate.models.http.events import EventReader
from quorate.models.patience import Patience
from quorate.models.port import Deadlines, Part
from quorate.models.reading import Opening, read_answer

DONE: Final = b"[DONE]"


def connect_timeout(deadlines: Deadlines) -> httpx2.Timeout:
    """Only connecting is left to the HTTP client: it knows one time-out for reading, and we have three."""
    return httpx2.Timeout(None, connect=deadlines.connect, pool=deadlines.connect)


def streamed_answer(opening: Opening, decoder: Decoder, deadlines: Deadlines, target: Target) -> AsyncGenerator[Part]:
    return read_answer(opening, EventStream(decoder, target), decoder, Patience(deadlines, target))


class EventStream:
    def __init__(self, decoder: Decoder, target: Target) -> None:
        self._events = EventReader()
        self._decoder = decoder
        self._target = target

    def feed(self, chunk: bytes) -> Sequence[Part]:
        return self._decoded(self._events.feed(chunk))

    def rest(self) -> Sequence[Part]:
        return self._decoded(self._events.rest())

    def _decoded(self, events: list[bytes]) -> Sequence[Part]:
        parts: list[Part] = []
        try:
            for data in events:
                if data != DONE:
                    parts += self._decoder.decode(json.loads(data))
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # Decoders take the provider's shapes for granted; whatever has another shape is not from a provider.
            message = f"{self._target.provider} sent something that is no event of its format: check base_url."
            raise ModelError("garbled_stream", message) from error
        return parts
