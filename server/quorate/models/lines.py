"""Lines out of chunks of bytes. They end at \\n alone: JSON may hold every other line separator."""

from typing import Final

from quorate.models.errors import ModelError

MAX_LINE_BYTES: Final = 32 * 1024 * 1024


class LineReader:
    def __init__(self) -> None:
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
                raise ModelError("garbled_stream", "The answer has a line beyond any sensible size: try again.")
            self._pieces.append(rest)
        return lines

    def rest(self) -> bytes:
        """What came after the last end of a line."""
        return b"".join(self._pieces)
