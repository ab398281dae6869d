"""Events on their way to the client. A response precedes every event that bears its ids."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from quorate.protocol.records import EventRecord

Send = Callable[[EventRecord], None]


class Outbound:
    def __init__(self, send: Send) -> None:
        self._send = send
        self._holders = 0
        self._held: list[EventRecord] = []

    def __call__(self, record: EventRecord) -> None:
        if self._holders:
            self._held.append(record)
        else:
            self._send(record)

    @contextmanager
    def held(self) -> Generator[None]:
        """While a command is answered, what it causes waits behind its response."""
        self._holders += 1
        try:
            yield
        finally:
            self._holders -= 1
            if not self._holders:
                held, self._held = self._held, []
                for record in held:
                    self._send(record)
