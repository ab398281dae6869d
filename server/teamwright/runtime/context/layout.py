"""How much of a conversation a model can be sent, and what of it in full or in brief, so that it fits. Pure and linear.

In characters: tokens are only ever estimated from them. As a conversation grows, the border between full and brief
moves rarely and by large steps, because each move costs the provider's cache of all that follows it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from teamwright.models.metering import FIRST_CHARACTERS_PER_TOKEN
from teamwright.prompts.assistant.system_prompt import LONGEST_GIVEN_TEXT
from teamwright.runtime.context.entry import ContextEntry, Rendering

_MOST_OUTPUT_TOKENS: Final = 16_000
# Estimates are off by some percent; the rest is the provider's own wrapping.
_SAFE_SHARE: Final = 0.93
# Where even the prompt hardly fits, the last messages are sent all the same, and the provider has the last word.
_LEAST: Final = 4_000
# For what is said last in each request: the date, the costs.
_FACTS: Final = 2_000
_GIVEN_SHARE: Final = 0.08
_LEAST_GIVEN: Final = 1_500
# The estimate learns with every call. What was decided on a slightly other one is better left as it is.
_SAME_ROOM: Final = (0.9, 1.25)


@dataclass(frozen=True, slots=True)
class HistoryBudget:
    whole: int

    @property
    def tight(self) -> int:
        """Above this, old output goes; where there is none worth it, a summary is due."""
        return self.whole * 3 // 4

    @property
    def comfortable(self) -> int:
        """Down to this, so that it is long before the next time."""
        return self.whole // 2

    @property
    def worthwhile(self) -> int:
        """Less than this is not worth the provider's cache."""
        return self.whole // 8

    @property
    def brimful(self) -> int:
        """Above this, output of the turns that are still recent goes, too."""
        return self.whole * 9 // 10

    def is_about(self, other: "HistoryBudget") -> bool:
        low, high = _SAME_ROOM
        return low * self.whole <= other.whole <= high * self.whole


def room_for(*, window: int, characters_per_token: float, prompt_characters: int) -> HistoryBudget:
    """What a window leaves after the prompt with its tools, and the answer."""
    tokens = (window - output_tokens(window)) * _SAFE_SHARE
    return HistoryBudget(max(_LEAST, int(tokens * characters_per_token) - prompt_characters - _FACTS))


def output_tokens(window: int) -> int:
    """How many tokens of a window of so many are left for the answer."""
    return min(_MOST_OUTPUT_TOKENS, window // 4)


def longest_given_text(window: int) -> int:
    """How much of each of the files that are quoted in the prompt; models with small windows are shown less.

    By the window alone, which does not change from call to call as the estimate does.
    """
    return min(LONGEST_GIVEN_TEXT, max(_LEAST_GIVEN, int(window * FIRST_CHARACTERS_PER_TOKEN * _GIVEN_SHARE)))


@dataclass(frozen=True, slots=True)
class Layout:
    """Entries before `brief_until` are sent in brief. `size` is that of everything then, in characters."""

    brief_until: int
    size: int


class Forms:
    """Some first entries as a layout wants them sent; each is made when it is looked at."""

    def __init__(self, entries: Sequence[ContextEntry], layout: Layout) -> None:
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


def lay_out(entries: Sequence[ContextEntry], room: HistoryBudget, already: int = 0) -> Layout:
    """Goes through the conversation as it came about, so that what was decided for its beginning stays decided.

    `already` is the size of what stands before the entries.
    """
    border = _Border(entries, room, already)
    for index, entry in enumerate(entries):
        border.pass_entry(index, entry)
    return Layout(border.at, border.size)


class _Border:
    def __init__(self, entries: Sequence[ContextEntry], room: HistoryBudget, already: int) -> None:
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

    def pass_entry(self, index: int, entry: ContextEntry) -> None:
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


def _saving(entry: ContextEntry) -> int:
    return entry.full_size - entry.brief_size
