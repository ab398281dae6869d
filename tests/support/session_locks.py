"""Who may write to a session, seen from outside."""

import asyncio
import fcntl
from pathlib import Path


async def until_unlocked(state: Path) -> None:
    """Until nobody writes to the only session any more."""
    await asyncio.to_thread(_until_unlocked, state)


def _until_unlocked(state: Path) -> None:
    (lock,) = state.rglob("locks/*.lock")
    with lock.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
