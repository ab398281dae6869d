"""Where a simulation's choices come from: a seed (fast, replayed by its number) or hypothesis (shrinks a failure)."""

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Chance(Protocol):
    def below(self, limit: int) -> int: ...


class Seeded:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def below(self, limit: int) -> int:
        return self._random.randrange(limit)


class Drawn:
    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def below(self, limit: int) -> int:
        return self._data.draw(st.integers(0, limit - 1))


def one_of(chance: Chance, options: Sequence[T]) -> T:
    return options[chance.below(len(options))]


def weighted(chance: Chance, options: Sequence[tuple[int, T]]) -> T:
    mark = chance.below(sum(weight for weight, _ in options))
    for weight, option in options:
        if mark < weight:
            return option
        mark -= weight
    raise AssertionError("the marks lie within the weights")
