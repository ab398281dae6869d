"""Server-sent events out of bytes. Pure."""

from quorate.models.lines import LineReader


class EventReader:
    def __init__(self) -> None:
        self._lines = LineReader()
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of every event that this chunk completes."""
        events: list[bytes] = []
        for line in self._lines.feed(chunk):
            if line.startswith(b"data:"):
                self._data.append(line[5:].strip())
            elif self._data and line in {b"", b"\r"}:
                events.append(b"\n".join(self._data))
                self._data = []
        return events

    def rest(self) -> list[bytes]:
        """An event whose lines are whole, though the blank line after it never came."""
        return [b"\n".join(self._data)] if self._data else []
