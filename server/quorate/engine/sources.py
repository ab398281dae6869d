"""Who asked for what in a run. The person's own words hold before the modes, those before the assistant's arguments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

from quorate.protocol.runs import CoordinationOverrides, RunSpec

T = TypeVar("T")


class Source(IntEnum):
    """The stronger, the smaller."""

    USER = 0
    MODES = 1
    ASSISTANT = 2
    CONFIG = 3


@dataclass(frozen=True)
class Said(Generic[T]):
    value: T
    by: Source

    def is_overruled_by(self, other: Source) -> bool:
        return self.by > other


@dataclass(frozen=True, slots=True)
class Requests:
    """What persons asked for, the latest edit first, and what the assistant did."""

    by_user: Sequence[RunSpec]
    by_assistant: RunSpec | None

    def __iter__(self) -> Iterator[Said[RunSpec]]:
        for spec in self.by_user:
            yield Said(spec, Source.USER)
        if self.by_assistant is not None:
            yield Said(self.by_assistant, Source.ASSISTANT)

    def overrides(self) -> Iterator[Said[CoordinationOverrides]]:
        for request in self:
            if request.value.coordination_overrides is not None:
                yield Said(request.value.coordination_overrides, request.by)


def strongest(*said: Said[T | None]) -> Said[T]:
    """Of those that say anything the strongest, the earlier among equals; the last to be given is the default."""
    given = [Said(each.value, each.by) for each in said if each.value is not None]
    return min(given, key=lambda each: each.by)
