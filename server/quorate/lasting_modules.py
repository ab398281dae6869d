"""Loading modules beside the work. They stay, so nobody need look through them for garbage, and hold up the rest."""

import gc
from collections.abc import Iterable
from importlib import import_module
from typing import Final

_YOUNG_OBJECTS: Final = 20_000


def load_for_good(names: Iterable[str]) -> None:
    """A full collection would take longer than any step of the event loop may; without these modules it is short."""
    gc.disable()
    try:
        for name in names:
            import_module(name)
    finally:
        gc.freeze()
        gc.enable()
        # What is made from now on mostly dies by itself: looking for rings in it can wait until there is more of it.
        gc.set_threshold(_YOUNG_OBJECTS, 20, 20)
