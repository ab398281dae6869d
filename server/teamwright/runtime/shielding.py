"""What must not be torn apart: a fact that is on its way to the disk is finished before a cancellation counts."""

from collections.abc import Awaitable
from typing import TypeVar

import anyio

T = TypeVar("T")


async def shielded(work: Awaitable[T]) -> T:
    done: list[T] = []
    with anyio.CancelScope(shield=True):
        done.append(await work)
    return done[0]
