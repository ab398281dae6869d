"""What is done besides answering. A bug in one such thing must not take the others with it: it is logged whole, and
life goes on."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import TypeVarTuple

import anyio

log = logging.getLogger(__name__)

Args = TypeVarTuple("Args")
BackgroundTask = Callable[[], Awaitable[None]]


@contextmanager
def contained(what: str) -> Generator[None]:
    try:
        yield
    except Exception:
        log.exception("%s failed", what)


class BackgroundTasks:
    """They are over when the application is closed."""

    def __init__(self) -> None:
        # Events are heard also where no task runs, in a timer's callback, and from there none can be started.
        self._waiting: asyncio.Queue[BackgroundTask] = asyncio.Queue()

    def start(self, task: Callable[[*Args], Awaitable[None]], *args: *Args) -> None:
        self._waiting.put_nowait(partial(task, *args))

    async def run(self) -> None:
        async with anyio.create_task_group() as tasks:
            while True:
                tasks.start_soon(_contained_task, await self._waiting.get())


async def _contained_task(task: BackgroundTask) -> None:
    with contained("A task"):
        await task()
