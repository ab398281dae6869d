"""What a program writes to stderr, of which the end is kept, however much it is."""

import os
import threading
from types import TracebackType
from typing import Final, Self, TextIO

_KEPT_BYTES: Final = 4_096
# A program that another one left behind can hold the pipe open for ever.
_LAST_WORDS_SECONDS: Final = 0.5


class Complaints:
    """A pipe and a thread, because the operating system writes to `sink` past Python."""

    def __init__(self) -> None:
        reading, writing = os.pipe()
        self.sink: TextIO = os.fdopen(writing, "w", encoding="utf-8")
        self._end = b""
        self._reader = threading.Thread(target=self._read, args=(reading,), name="stderr", daemon=True)

    def __enter__(self) -> Self:
        self._reader.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.sink.close()

    def last_words(self) -> str:
        """Blocks until all is read. Call it when the program has ended."""
        self.sink.close()
        self._reader.join(_LAST_WORDS_SECONDS)
        return self._end.decode("utf-8", errors="replace").strip()

    def _read(self, descriptor: int) -> None:
        with os.fdopen(descriptor, "rb", buffering=0) as pipe:
            while chunk := pipe.read(_KEPT_BYTES):
                self._end = (self._end + chunk)[-_KEPT_BYTES:]
