"""LSP frames out of a stream of bytes. A bad one is told, and the next good one is found."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

MAX_HEADER_BYTES: Final = 8 * 1024
MAX_BODY_BYTES: Final = 64 * 1024 * 1024
# A body that is too large for us is passed over. Beyond this it is no size but nonsense.
MAX_SKIPPED_BYTES: Final = 1024 * 1024 * 1024

_END_OF_HEADER: Final = re.compile(rb"\r?\n\r?\n")
_FIELD: Final = re.compile(rb"(?P<name>[!-9;-~]+):[ \t]*(?P<value>.*?)[ \t]*")
_HEADER_SOMEWHERE: Final = re.compile(
    rb"content-length:[ \t]*(\d{1,10})[ \t]*\r?\n(?:content-type:[^\r\n]*\r?\n)?\r?\n", re.IGNORECASE
)


class BadFrame(NamedTuple):
    reason: str


class FrameParser:
    def __init__(self) -> None:
        self._buffer = bytearray()
        self._body_bytes: int | None = None
        self._to_skip = 0
        # After a bad header nothing is certain but the next header that can be recognised.
        self._is_lost = False

    def feed(self, data: bytes) -> Iterator[bytes | BadFrame]:
        """The bodies that are complete now, and what was wrong between them."""
        self._buffer += data
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> bytes | BadFrame | None:
        """None: it takes more data."""
        skipped = min(self._to_skip, len(self._buffer))
        del self._buffer[:skipped]
        self._to_skip -= skipped
        if self._to_skip:
            return None
        if self._body_bytes is None:
            fault = self._find_header() if self._is_lost else self._read_header()
            if fault is not None:
                return fault
        if self._body_bytes is None or len(self._buffer) < self._body_bytes:
            return None
        body = bytes(self._buffer[: self._body_bytes])
        del self._buffer[: self._body_bytes]
        self._body_bytes = None
        return body

    def _read_header(self) -> BadFrame | None:
        del self._buffer[: len(self._buffer) - len(self._buffer.lstrip(b"\r\n"))]
        end = _END_OF_HEADER.search(self._buffer, 0, MAX_HEADER_BYTES)
        if end is None and len(self._buffer) < MAX_HEADER_BYTES:
            return None
        length = _content_length(bytes(self._buffer[: end.start()])) if end is not None else None
        if end is None or length is None:
            self._is_lost = True
            return BadFrame("The header is not one of LSP: it must say Content-Length, and little else.")
        del self._buffer[: end.end()]
        return self._expect(length)

    def _find_header(self) -> BadFrame | None:
        for match in _HEADER_SOMEWHERE.finditer(bytes(self._buffer)):
            length = int(match[1])
            if length <= MAX_SKIPPED_BYTES:
                del self._buffer[: match.end()]
                self._is_lost = False
                return self._expect(length)
        del self._buffer[:-MAX_HEADER_BYTES]
        return None

    def _expect(self, length: int) -> BadFrame | None:
        if length > MAX_BODY_BYTES:
            self._to_skip = length
            return BadFrame(f"A message of {length} bytes is too large; at most {MAX_BODY_BYTES} are taken.")
        self._body_bytes = length
        return None


def _content_length(header: bytes) -> int | None:
    length: int | None = None
    for line in header.splitlines():
        field = _FIELD.fullmatch(line)
        if field is None:
            return None
        if field["name"].lower() == b"content-length":
            digits = field["value"]
            length = int(digits) if digits.isdigit() and len(digits) <= 10 else MAX_SKIPPED_BYTES + 1
    return length if length is not None and length <= MAX_SKIPPED_BYTES else None
