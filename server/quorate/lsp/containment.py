"""Where a bug in one thing must not take the others with it: it is logged whole, and life goes on."""

import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import TypeVarTuple

from anyio.abc import TaskGroup

log = logging.getLogger(__name__)

Args = TypeVarTuple("Args")


@contextmanager
def contained(what: str) -> Generator[None]:
    try:
        yield
    except Exception:
        log.exception("%s failed", what)


class Errands:
    """What a feature does besides answering. It is over when the client leaves."""

    def __init__(self, tasks: TaskGroup) -> None:
        self._tasks = tasks

    def start(self, errand: Callable[[*Args], Awaitable[None]], *args: *Args) -> None:
        self._tasks.start_soon(self._run, errand, args)

    async def _run(self, errand: Callable[..., Awaitable[None]], args: tuple[object, ...]) -> None:
        with contained(getattr(errand, "__qualname__", "An errand")):
            await errand(*args)
