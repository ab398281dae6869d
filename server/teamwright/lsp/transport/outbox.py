"""What waits to be written to the client, in order and within bounds.

Where the client is slow, what became newer is sent in its newest form only. Where it is too slow even for that, the
entries of a group (a session's events) are left out, and one entry stands for them until the client has read it.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from typing import Final

# Of answers and requests, which cannot be left out: beyond this no further message of the client is read.
MAX_OWED_BYTES: Final = 16 * 1024 * 1024
# Of entries that can be left out.
MAX_PASSING_BYTES: Final = 8 * 1024 * 1024
MAX_ENTRIES: Final = 20_000
# How much goes into one write.
BATCH_BYTES: Final = 256 * 1024


class OutboundMessage:
    """Something to be written. What is not vital can be left out; where it has a group, something stands for it."""

    group: str | None = None
    is_vital: bool = True
    # How far in its group a client is that has read this.
    place: int | None = None

    @property
    def size(self) -> int:
        raise NotImplementedError

    def bodies(self) -> Iterable[bytes]:
        raise NotImplementedError

    def joined_by(self, newer: "OutboundMessage") -> bool:
        """Takes the newer one in, if it can. Else the newer one takes its place, at the end."""
        del newer
        return False

    def stand_in(self, place: int) -> "OutboundMessage":
        """For all of its group that was left out behind a place."""
        raise NotImplementedError


class Plain(OutboundMessage):
    def __init__(self, body: bytes, is_vital: bool = True) -> None:
        self.body = body
        self.is_vital = is_vital

    @property
    def size(self) -> int:
        return len(self.body)

    def bodies(self) -> Iterable[bytes]:
        return (self.body,)


class Outbox:
    """Filled from any thread, emptied by the writer's."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._entries: OrderedDict[Hashable, OutboundMessage] = OrderedDict()
        self._owed_bytes = 0
        self._passing_bytes = 0
        # The groups that are left out, by the key of what stands for them.
        self._left_out: dict[str, Hashable] = {}
        self._read_up_to: dict[str, int] = {}
        self._is_closed = False

    def put(self, entry: OutboundMessage, key: Hashable = None) -> None:
        """With a key, it is joined to the one that waits under it, or replaces it. Never waits for the client."""
        with self._changed:
            if self._is_closed or (entry.group in self._left_out and not entry.is_vital):
                return
            self._add(entry, key if key is not None else entry)
            if self._passing_bytes > MAX_PASSING_BYTES or len(self._entries) > MAX_ENTRIES:
                self._leave_out()
            self._changed.notify_all()

    def take(self) -> list[bytes]:
        """The next bodies, as soon as there are any. None any more once it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._entries or self._is_closed)
            taken: list[OutboundMessage] = []
            while self._entries and sum(entry.size for entry in taken) < BATCH_BYTES:
                taken.append(self._remove(next(iter(self._entries))))
            self._changed.notify_all()
        return [body for entry in taken for body in entry.bodies()]

    def wait_for_room(self) -> None:
        """Until the client has taken enough of what we owe it."""
        with self._changed:
            self._changed.wait_for(lambda: self._owed_bytes <= MAX_OWED_BYTES or self._is_closed)

    def close(self) -> None:
        """What is in it can still be taken; nothing more comes in."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _add(self, entry: OutboundMessage, key: Hashable) -> None:
        waiting = self._entries.get(key)
        if waiting is not None:
            before = waiting.size
            if waiting.joined_by(entry):
                self._count(waiting, waiting.size - before)
                return
            self._count(self._entries.pop(key), -before)
        self._entries[key] = entry
        self._count(entry, entry.size)

    def _remove(self, key: Hashable) -> OutboundMessage:
        entry = self._entries.pop(key)
        self._count(entry, -entry.size)
        if entry.group is not None:
            if self._left_out.get(entry.group) == key:
                del self._left_out[entry.group]
            if entry.place is not None:
                self._read_up_to[entry.group] = entry.place
        return entry

    def _count(self, entry: OutboundMessage, size: int) -> None:
        if entry.is_vital:
            self._owed_bytes += size
        else:
            self._passing_bytes += size

    def _leave_out(self) -> None:
        for key, entry in list(self._entries.items()):
            if entry.is_vital:
                continue
            del self._entries[key]
            self._count(entry, -entry.size)
            if entry.group is not None and entry.group not in self._left_out:
                stand_in = entry.stand_in(self._read_up_to.get(entry.group, 0))
                self._left_out[entry.group] = stand_in
                self._add(stand_in, stand_in)
