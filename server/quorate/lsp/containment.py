"""Where a bug in one thing must not take the others with it: it is logged whole, and life goes on."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import TypeVarTuple

import anyio

log = logging.getLogger(__name__)

Args = TypeVarTuple("Args")
Errand = Callable[[], Awaitable[None]]


@contextmanager
def contained(what: str) -> Generator[None]:
    try:
        yield
    except Exception:
        log.exception("%s failed", what)


class Errands:
    """What a feature does besides answering. It is over when the client leaves."""

    def __init__(self) -> None:
        # Events are heard also where no task runs, in a timer's callback, and from there none can be started.
        self._waiting: asyncio.Queue[Errand] = asyncio.Queue()

    def start(self, errand: Callable[[*Args], Awaitable[None]], *args: *Args) -> None:
        self._waiting.put_nowait(partial(errand, *args))

    async def run(self) -> None:
        async with anyio.create_task_group() as tasks:
            while True:
                tasks.start_soon(_contained_errand, await self._waiting.get())


async def _contained_errand(errand: Errand) -> None:
    with contained("An errand"):
        await errand()
