"""What of a conversation is sent in full and what in brief, so that it fits. Pure, linear, and sticky: as a
conversation grows, the border between the two moves rarely and by large steps, because each move costs the provider's
cache of all that follows it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quorate.runtime.context.entry import Entry, Rendering
from quorate.runtime.context.room import Room


@dataclass(frozen=True, slots=True)
class Layout:
    """Entries before `brief_until` are sent in brief. `size` is that of everything then, in characters."""

    brief_until: int
    size: int


class Forms:
    """Some first entries as a layout wants them sent; each is made when it is looked at."""

    def __init__(self, entries: Sequence[Entry], layout: Layout) -> None:
        self._brief = entries[: layout.brief_until]
        self._full = entries[layout.brief_until :]

    def __len__(self) -> int:
        return len(self._brief) + len(self._full)

    def __iter__(self) -> Iterator[Rendering]:
        yield from (entry.brief() for entry in self._brief)
        yield from (entry.full() for entry in self._full)

    def __getitem__(self, index: int) -> Rendering:
        in_brief = len(self._brief)
        return self._brief[index].brief() if index < in_brief else self._full[index - in_brief].full()

    @property
    def size(self) -> int:
        return sum([entry.brief_size for entry in self._brief]) + sum([entry.full_size for entry in self._full])


def lay_out(entries: Sequence[Entry], room: Room, already: int = 0) -> Layout:
    """Goes through the conversation as it came about, so that what was decided for its beginning stays decided.

    `already` is the size of what stands before the entries.
    """
    border = _Border(entries, room, already)
    for index, entry in enumerate(entries):
        border.pass_entry(index, entry)
    return Layout(border.at, border.size)


class _Border:
    def __init__(self, entries: Sequence[Entry], room: Room, already: int) -> None:
        self._entries = entries
        self._tight, self._brimful = room.tight, room.brimful
        self._comfortable, self._worthwhile = room.comfortable, room.worthwhile
        self.at = 0
        self.size = already
        # What is old: all before the turn that precedes the one under way.
        self._old_until = 0
        self._turn_began = 0
        self._turn_id: str | None = None
        # What the old entries would save, as far as that has been counted: only when it is needed.
        self._savable = 0
        self._counted_until = 0

    def pass_entry(self, index: int, entry: Entry) -> None:
        if entry.turn_id is not None and entry.turn_id != self._turn_id:
            self._turn_id = entry.turn_id
            self._old_until = self._turn_began
            self._turn_began = index
        self.size += entry.full_size
        if self.size > self._tight and self._count_savable() >= self._worthwhile:
            self._move(self._old_until)
        if self.size > self._brimful:
            # Not the entry itself: what was just brought is what is needed now.
            self._move(index)

    def _count_savable(self) -> int:
        for index in range(self._counted_until, self._old_until):
            self._savable += _saving(self._entries[index])
        self._counted_until = max(self._counted_until, self._old_until)
        return self._savable

    def _move(self, limit: int) -> None:
        while self.size > self._comfortable and self.at < limit:
            saving = _saving(self._entries[self.at])
            self.size -= saving
            if self.at < self._counted_until:
                self._savable -= saving
            else:
                self._counted_until = self.at + 1
            self.at += 1


def _saving(entry: Entry) -> int:
    return entry.full_size - entry.brief_size
