"""What every way of showing a run has in common."""

from typing import Protocol

from quorate.protocol.records import EventRecord


class View(Protocol):
    def take(self, record: EventRecord) -> None: ...

    def hold(self) -> None:
        """Leaves the screen to a question."""
        ...

    def resume(self) -> None: ...

    def close(self) -> None:
        """Shows what is to stay, and gives the screen back. Once is enough, more does no harm."""
        ...
