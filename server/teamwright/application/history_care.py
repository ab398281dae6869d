"""The history as files: whether they are whole, and what can be brought back. Needs neither a team nor its settings."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from anyio import to_thread

from teamwright.runtime.client_context import ClientContext
from teamwright.store.errors import store_error
from teamwright.store.locks import Owner
from teamwright.store.repair.care import HistoryReport, examine, recover, take_in
from teamwright.store.sqlite import DATABASE

__all__ = ["HistoryReport", "check_history", "recover_history"]

T = TypeVar("T")


async def check_history(client_context: ClientContext) -> HistoryReport:
    """Raises UserError where it cannot be looked at."""
    path = _path(client_context)
    return await _done(lambda: examine(path), path)


async def recover_history(client_context: ClientContext, source: Path | None = None) -> str:
    """From itself and its copies, or from a file that was kept beside it. Tells what came of it. Raises UserError."""
    path, owner = _path(client_context), Owner.this_process(client_context.editor)
    if source is None:
        return await _done(lambda: recover(path, owner), path)
    return await _done(lambda: take_in(path, source, owner), path)


def _path(client_context: ClientContext) -> Path:
    return client_context.state_path(os.environ) / DATABASE


async def _done(work: Callable[[], T], path: Path) -> T:
    try:
        return await to_thread.run_sync(work)
    except (sqlite3.Error, OSError) as fault:
        raise store_error(fault, path) from fault
