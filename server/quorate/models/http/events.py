"""Server-sent events out of bytes. Pure; lines end at \\n alone, for JSON may hold other line separators."""

from quorate.models.errors import ModelError

MAX_EVENT_BYTES = 32 * 1024 * 1024


class EventReader:
    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of every event that this chunk completes."""
        if b"\n" not in chunk:
            self._keep(chunk)
            return []
        lines = (b"".join(self._pieces) + chunk if self._pieces else chunk).split(b"\n")
        self._pieces, self._size = [], 0
        if rest := lines.pop():
            self._keep(rest)
        events: list[bytes] = []
        for line in lines:
            if line.startswith(b"data:"):
                self._data.append(line[5:].strip())
            elif self._data and line in {b"", b"\r"}:
                events.append(b"\n".join(self._data))
                self._data = []
        return events

    def rest(self) -> list[bytes]:
        """An event whose lines are whole, though the blank line after it never came."""
        events, self._data = ([b"\n".join(self._data)] if self._data else []), []
        return events

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > MAX_EVENT_BYTES:
            raise ModelError("garbled_stream", "The provider sent an event beyond any sensible size: try again.")
        self._pieces.append(piece)
