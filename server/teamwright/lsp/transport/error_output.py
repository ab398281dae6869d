"""Standard error, read for the client by nobody but us: whoever writes to it never waits for the client.

The descriptor of stderr becomes a pipe of ours. One thread empties it, also of what children and libraries print, into
a bounded store; another passes that on. When the client does not read, the oldest lines are dropped, and that is said.
"""

import os
import sys
import threading
from collections import deque
from contextlib import suppress
from typing import Final, Self

MOST_BYTES: Final = 256 * 1024
_CHUNK_BYTES: Final = 16 * 1024
_STDERR: Final = 2


class ErrorOutput:
    def __init__(self, client: int, pipe: int) -> None:
        self._client = client
        self._pipe = pipe
        self._changed = threading.Condition()
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._dropped = 0
        self._has_ended = False
        self._passing = threading.Thread(target=self._pass_on, name="stderr", daemon=True)

    @classmethod
    def claim(cls) -> Self | None:
        """None where there is no stderr at all."""
        try:
            client = os.dup(_STDERR)
        except OSError:
            return None
        source, sink = os.pipe()
        os.dup2(sink, _STDERR)
        os.close(sink)
        if sys.platform != "win32":
            # An editor may have left it non-blocking; our thread wants to wait.
            os.set_blocking(client, True)
        output = cls(client, source)
        threading.Thread(target=output._empty, name="stderr pipe", daemon=True).start()
        output._passing.start()
        return output

    def release(self, deadline: float) -> None:
        """Stderr is the client's again; what was said before has so many seconds to get there."""
        os.dup2(self._client, _STDERR)
        self._passing.join(deadline)

    def _empty(self) -> None:
        with suppress(OSError):
            # Ends when nobody holds the other side any more: neither we nor a child.
            while chunk := os.read(self._pipe, _CHUNK_BYTES):
                self._keep(chunk)
        with self._changed:
            self._has_ended = True
            self._changed.notify()

    def _keep(self, chunk: bytes) -> None:
        with self._changed:
            self._chunks.append(chunk)
            self._size += len(chunk)
            while self._size > MOST_BYTES:
                lost = len(self._chunks.popleft())
                self._size -= lost
                self._dropped += lost
            self._changed.notify()

    def _pass_on(self) -> None:
        with suppress(OSError):
            while (chunk := self._next()) is not None:
                rest = memoryview(chunk)
                while rest:
                    rest = rest[os.write(self._client, rest) :]

    def _next(self) -> bytes | None:
        with self._changed:
            self._changed.wait_for(lambda: self._chunks or self._has_ended)
            if not self._chunks:
                return None
            told = f"teamwright: {self._dropped} bytes of the log were not read in time\n" if self._dropped else ""
            self._dropped = 0
            chunk = self._chunks.popleft()
            self._size -= len(chunk)
            return told.encode("ascii") + chunk
