"""The writer's thread, by itself: what goes wrong in it goes to whom it concerns, and it goes on."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio

from teamwright.store.errors import StoreError
from teamwright.store.home import DatabaseHome
from teamwright.store.locks import Owner, SessionLocks
from teamwright.store.opening import FileIdentity, Opened, open_database
from teamwright.store.rows import Preview
from teamwright.store.threads import StoreWriter
from teamwright.store.transaction import Transaction
from tests.store.facts import SES, summary

pytestmark = pytest.mark.asyncio


OWNER = Owner.this_process("test")


def home_of(path: Path) -> DatabaseHome:
    return DatabaseHome(path, OWNER, SessionLocks(path.parent, OWNER))


@pytest.fixture
def path(directory: Path) -> Path:
    return directory / "sessions.db"


@pytest_asyncio.fixture
async def writer(path: Path) -> AsyncIterator[StoreWriter]:
    opened = open_database(path, OWNER)
    opened.connection.execute("PRAGMA busy_timeout = 1")
    writer = StoreWriter(opened, path, home_of(path), print)
    yield writer
    await writer.close()


def create(transaction: Transaction) -> int:
    return transaction.create_session(SES, Preview.of(summary(SES))).number


def count(transaction: Transaction) -> int:
    sessions: int = transaction.connection.execute("SELECT count(*) FROM sessions").fetchone()[0]
    return sessions


async def test_all_work_is_done_in_one_thread_that_is_not_the_loops(writer: StoreWriter) -> None:
    threads = await asyncio.gather(*(writer.run(lambda _: threading.get_ident()) for _ in range(20)))

    assert len(set(threads)) == 1
    assert threading.get_ident() not in threads


async def test_a_bug_in_one_piece_of_work_takes_back_that_piece_alone(writer: StoreWriter) -> None:
    def create_and_fail(transaction: Transaction) -> None:
        create(transaction)
        raise KeyError("a bug")

    outcomes = await asyncio.gather(
        writer.run(count), writer.run(create_and_fail), writer.run(count), return_exceptions=True
    )

    assert [repr(outcome) for outcome in outcomes] == ["0", "KeyError('a bug')", "0"]


async def test_a_database_kept_busy_by_others_says_so_to_all_who_wait_and_recovers(
    writer: StoreWriter, path: Path
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        outcomes = await asyncio.gather(writer.run(create), writer.run(count), return_exceptions=True)
        other.execute("ROLLBACK")

    assert [type(outcome) for outcome in outcomes] == [StoreError, StoreError]
    assert str(outcomes[0]) == f"Another process keeps {path} busy: try again in a moment."
    assert await writer.run(count) == 0


async def test_a_full_disk_is_named_and_passes(writer: StoreWriter) -> None:
    def fill(transaction: Transaction) -> None:
        transaction.connection.execute("INSERT INTO events (place, body) VALUES (1, zeroblob(100000))")

    def allow(pages: int) -> Callable[[Transaction], object]:
        return lambda transaction: transaction.connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()

    await writer.run(allow(1))
    with pytest.raises(
        StoreError, match=r"The disk that holds .*sessions\.db is full: free some space and try again\."
    ):
        await writer.run(fill)
    await writer.run(allow(1000))
    await writer.run(fill)


async def test_a_file_that_must_not_be_written_is_named_with_a_way_out(writer: StoreWriter, path: Path) -> None:
    assert await writer.run(create) == 1
    read_only = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False)
    reader = StoreWriter(Opened(read_only, None, FileIdentity.at(path)), path, home_of(path), print)

    with pytest.raises(StoreError) as refused:
        await reader.run(create)

    assert str(refused.value) == (
        f"{path} cannot be written (attempt to write a readonly database): "
        "make it writable, or set TEAMWRIGHT_STATE_DIR to another place."
    )
    await reader.close()


async def test_what_waits_behind_a_failed_group_is_written_in_order(writer: StoreWriter) -> None:
    done: list[str] = []

    def note(name: str) -> None:
        done.append(name)

    def refuse(_: Transaction) -> None:
        raise ValueError

    first = asyncio.gather(
        writer.run(lambda _: note("a")), writer.run(refuse), writer.run(lambda _: note("b")), return_exceptions=True
    )
    await asyncio.sleep(0)
    later = asyncio.gather(*(writer.run(lambda _, n=name: note(n)) for name in "cd"))
    await asyncio.gather(first, later)

    # The group is begun together, given up at the refusal, and then done piece by piece before what came after.
    assert done == ["a", "a", "b", "c", "d"]
