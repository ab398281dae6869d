"""What the HTTP adapters share: server-sent events on their way to a decoder, and time-outs in the client's terms."""

import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Final, TypeVar, cast

import httpx2

from teamwright.models.adapter import Decoder, JsonObject
from teamwright.models.answer_bounds import endless
from teamwright.models.faults import Target, garbled
from teamwright.models.limits import MAX_BESIDE_BYTES, MAX_LINE_BYTES, ORDINARY_EVENT_BYTES
from teamwright.models.port import Deadlines, Part
from teamwright.models.reading import NO_EVENT, LineReader, Opening, StreamDeadline, json_of, read_answer

DONE: Final = b"[DONE]"
_OmitT = TypeVar("_OmitT")


def connect_timeout(deadlines: Deadlines) -> httpx2.Timeout:
    """Only connecting is left to the HTTP client: it knows one time-out for reading, and we have three."""
    return httpx2.Timeout(None, connect=deadlines.connect, pool=deadlines.connect)


def streamed_answer(opening: Opening, decoder: Decoder, deadlines: Deadlines, target: Target) -> AsyncGenerator[Part]:
    return read_answer(opening, EventStream(decoder, target), decoder, StreamDeadline(deadlines, target), target)


class EventStream:
    def __init__(self, decoder: Decoder, target: Target) -> None:
        self._events = EventReader(target)
        self._decoder = decoder
        self._target = target
        self._beside = 0

    def feed(self, chunk: bytes) -> Sequence[Part]:
        return self._decoded(self._events.feed(chunk))

    def rest(self) -> Sequence[Part]:
        return self._decoded(self._events.rest())

    def _decoded(self, events: list[bytes]) -> Sequence[Part]:
        parts: list[Part] = []
        try:
            for data in events:
                if data != DONE:
                    told = self._decoder.decode(cast("JsonObject", json_of(data)))
                    parts += told
                    self._count(len(data) - ORDINARY_EVENT_BYTES if told else len(data))
        except NO_EVENT as error:
            raise garbled(self._target) from error
        return parts

    def _count(self, beside: int) -> None:
        """What decoders keep of an event that nobody is shown."""
        self._beside += max(0, beside)
        if self._beside > MAX_BESIDE_BYTES:
            raise endless(self._target, "more around its words than words")


def own_headers_only(variable: str, own: Mapping[str, str], omit: _OmitT) -> dict[str, str | _OmitT]:
    """Our own headers, and the SDK's word for «leave it out» for each that a variable of `Name: value` lines names."""
    lines = os.environ.get(variable, "").split("\n")
    ambient = (line.partition(":")[0].strip() for line in lines if ":" in line)
    return {**dict.fromkeys(ambient, omit), **own}


class EventReader:
    def __init__(self, target: Target) -> None:
        self._target = target
        self._lines = LineReader(target)
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of every event that this chunk completes."""
        events: list[bytes] = []
        for line in self._lines.feed(chunk):
            if line.startswith(b"data:"):
                self._data.append(line[5:].strip())
                # Each line for itself, too: a list of nothings is long in the end.
                self._size += len(line)
                if self._size > MAX_LINE_BYTES:
                    raise endless(self._target, f"an event of more than {MAX_LINE_BYTES} bytes")
            elif self._data and line in {b"", b"\r"}:
                events.append(b"\n".join(self._data))
                self._data, self._size = [], 0
        return events

    def rest(self) -> list[bytes]:
        """An event whose lines are whole, though the blank line after it never came."""
        return [b"\n".join(self._data)] if self._data else []
