"""One writer a session: told by name to everybody else, and gone with its process."""

import os
import platform
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from teamwright.protocol.errors import Conflict
from teamwright.protocol.ids import SessionId
from teamwright.store.locks import FileLock, Owner
from teamwright.store.sqlite import SqliteStore
from tests.store.conftest import OpenStore
from tests.store.facts import SES, created, numbered, vote
from tests.store.window import Window
from tests.support.patience import PATIENCE_SECONDS

HERE = Owner(os.getpid(), "vscode", platform.node())


@pytest_asyncio.fixture
async def window(directory: Path) -> AsyncIterator[Window]:
    window = await Window.open(directory, "neovim")
    yield window
    if window.process.returncode is None:
        await window.kill()


@pytest.mark.asyncio
async def test_a_second_window_reads_but_is_told_who_writes(store: SqliteStore, window: Window) -> None:
    await store.append(SES, [created(), vote()])

    assert await window.do("read", SES) == [1, 2]
    refused = await window.do("append", SES)
    assert refused == {
        "status": 409,
        "message": f"Session ses_1 is open for writing in {HERE}: go on there, or close it there and try again.",
        "data": {"owner": {"pid": os.getpid(), "editor": "vscode", "host": platform.node()}},
    }
    assert await window.do("claim", SES) == refused
    assert await store.append(SES, [vote()]) == numbered(vote(), after=2)
    assert await window.do("read", SES) == [1, 2, 3]


@pytest.mark.asyncio
async def test_a_session_that_was_let_go_is_taken_over(store: SqliteStore, window: Window) -> None:
    await store.append(SES, [created()])

    await store.release(SES)

    assert await window.do("claim", SES) == 1
    with pytest.raises(Conflict, match="open for writing in neovim"):
        await store.append(SES, [vote()])
    assert await window.do("append", SES) == [2]
    await window.do("release", SES)
    assert await store.claim(SES) == 2
    assert await store.append(SES, [vote()]) == numbered(vote(), after=2)


@pytest.mark.asyncio
async def test_a_killed_window_leaves_its_sessions_to_the_others(store: SqliteStore, window: Window) -> None:
    assert await window.do("create", SES) == [1]
    assert await window.do("append", SES) == [2]
    with pytest.raises(Conflict, match=rf"neovim \(process {window.process.pid} on "):
        await store.append(SES, [vote()])

    await window.kill()

    assert await store.append(SES, [vote()]) == numbered(vote(), after=2)


@pytest.mark.asyncio
async def test_windows_write_to_different_sessions_at_the_same_time(store: SqliteStore, window: Window) -> None:
    await store.append(SES, [created()])

    assert await window.do("create", SessionId("ses_2")) == [1]

    assert await store.append(SES, [vote()]) == numbered(vote(), after=1)
    assert await window.do("append", SessionId("ses_2")) == [2]


@pytest.mark.asyncio
async def test_closing_a_window_gives_its_sessions_back_and_leaves_no_files(
    open_store: OpenStore, directory: Path
) -> None:
    first = await open_store()
    await first.append(SES, [created()])

    await first.close()

    assert list((directory / "locks").iterdir()) == []
    assert await (await open_store()).append(SES, [vote()]) == numbered(vote(), after=1)


@pytest.mark.asyncio
async def test_a_refused_write_to_an_unknown_session_leaves_no_lock(store: SqliteStore, directory: Path) -> None:
    with pytest.raises(Exception, match="There is no session"):
        await store.append(SES, [vote()])

    assert not (directory / "locks").exists()


def test_a_lock_whose_owner_cannot_be_read_is_still_a_lock(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    held = FileLock.take(path, HERE)
    assert held is not None
    path.write_text("", encoding="utf-8")

    assert FileLock.take(path, HERE) is None
    held.give_back()
    assert not path.exists()


def test_of_many_who_reach_for_a_lock_again_and_again_only_one_ever_has_it(tmp_path: Path) -> None:
    """The file is removed at every release, which must not let two hold what is not the same file."""
    path = tmp_path / "a.lock"
    start = threading.Barrier(4)
    inside = threading.Lock()
    taken: list[int] = []

    def reach(me: int) -> None:
        start.wait(timeout=PATIENCE_SECONDS)
        while taken.count(me) < 100:
            lock = FileLock.take(path, HERE)
            if lock is not None:
                assert inside.acquire(blocking=False), "two hold the same lock"
                taken.append(me)
                inside.release()
                lock.give_back()

    threads = [threading.Thread(target=reach, args=(me,)) for me in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE_SECONDS)

    assert len(taken) == 400
