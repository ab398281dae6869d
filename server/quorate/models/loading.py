"""Modules that take long to import, loaded beside the event loop."""

import sys

from anyio import to_thread

from quorate.lasting_modules import load_for_good


async def preload(*modules: str) -> None:
    """A plain import of them is instant afterwards."""
    missing = [name for name in modules if name not in sys.modules]
    if missing:
        await to_thread.run_sync(load_for_good, missing)
