"""Loading modules beside the work. They stay, so nobody need look through them for garbage, and hold up the rest."""

import gc
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Final

_YOUNG_OBJECTS: Final = 20_000


def load_for_good(names: Iterable[str]) -> None:
    """A full collection would take longer than any step of the event loop may; without these modules it is short."""
    gc.set_threshold(5_000, 20, 1_000)
    try:
        for name in names:
            import_module(name)
    finally:
        gc.freeze()
        # What is made from now on mostly dies by itself: looking for rings in it can wait until there is more of it.
        gc.set_threshold(_YOUNG_OBJECTS, 20, 20)


async def preload(*modules: str) -> None:
    """In a worker thread, so that a plain import of them does not hold up the event loop afterwards."""
    # Imported here: a program that starts without an event loop does without it.
    from anyio import to_thread  # noqa: PLC0415

    missing = [name for name in modules if name not in sys.modules]
    if missing:
        await to_thread.run_sync(load_for_good, missing)
