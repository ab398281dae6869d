"""Modules that take long to import, loaded beside the event loop."""

import sys
from importlib import import_module

from anyio import to_thread


async def preload(*modules: str) -> None:
    """A plain import of them is instant afterwards."""
    missing = [name for name in modules if name not in sys.modules]
    if missing:
        await to_thread.run_sync(_import_all, missing)


def _import_all(modules: list[str]) -> None:
    for name in modules:
        import_module(name)
