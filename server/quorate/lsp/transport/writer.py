"""Messages to the client, written by a thread of its own: nobody else waits for a client that does not read."""

import threading
from collections.abc import Callable
from contextlib import suppress

from quorate.lsp.transport.outbox import Outbox
from quorate.lsp.transport.stdio import Stdio


class Writer:
    def __init__(self, stdio: Stdio, outbox: Outbox, *, client_is_gone: Callable[[], None]) -> None:
        self._stdio = stdio
        self._outbox = outbox
        self._client_is_gone = client_is_gone
        self._thread = threading.Thread(target=self._write, name="writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def finish(self, deadline: float) -> None:
        """Writes what is left. A client that does not take it within so many seconds goes without."""
        self._outbox.close()
        self._thread.join(deadline)

    def _write(self) -> None:
        try:
            with suppress(OSError):
                while bodies := self._outbox.take():
                    self._stdio.write(b"".join(_framed(body) for body in bodies))
        finally:
            self._outbox.close()
            self._client_is_gone()


def _framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
