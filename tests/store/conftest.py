from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore

OpenStore = Callable[..., Awaitable[SqliteStore]]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    directory = tmp_path / "state"
    directory.mkdir()
    return directory


@pytest_asyncio.fixture
async def open_store(directory: Path) -> AsyncIterator[OpenStore]:
    """Each call is another window on the same workspace."""
    opened: list[SqliteStore] = []

    async def open_one(*, editor: str = "vscode") -> SqliteStore:
        store = await SqliteStore.open(directory, Owner.this_process(editor))
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        await store.close()


@pytest_asyncio.fixture
async def store(open_store: OpenStore) -> SqliteStore:
    return await open_store()
