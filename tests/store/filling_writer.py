"""A writer whose disk fills up: the kernel lets its files grow no further, until it does again."""

import asyncio
import json
import resource
import sys
from pathlib import Path
from typing import Any

from teamwright.store.errors import StoreError
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore
from tests.store.facts import SES, created, said


def let_files_grow_to(size: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))


async def write_until_refused(store: SqliteStore) -> tuple[int, StoreError]:
    """Together, so that groups of appends meet the limit, not single ones."""
    acknowledged = 0
    while True:
        outcomes = await asyncio.gather(
            *(store.append(SES, [said("word " * 200)]) for _ in range(10)), return_exceptions=True
        )
        acknowledged += sum(isinstance(outcome, tuple) for outcome in outcomes)
        refused = [outcome for outcome in outcomes if isinstance(outcome, StoreError)]
        if refused:
            return acknowledged, refused[0]


async def main(directory: Path) -> dict[str, Any]:
    store = await SqliteStore.open(directory, Owner.this_process("test"))
    await store.append(SES, [created()])
    let_files_grow_to(200_000)
    acknowledged, error = await write_until_refused(store)
    seen_when_full = await store.last_seq(SES)
    let_files_grow_to(resource.RLIM_INFINITY)
    appended = await store.append(SES, [said("There is room again.")])
    await store.close()
    return {
        "acknowledged": acknowledged,
        "error": error.message,
        "status": error.status,
        "seen_when_full": seen_when_full,
        "appended": appended[0].seq,
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(Path(sys.argv[1])))))
