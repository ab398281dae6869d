"""The sessions that have something begun and not ended, found without reading their logs."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from teamwright.protocol.ids import SessionId
from teamwright.store.sqlite import DATABASE, SqliteStore
from tests.store.conftest import OpenStore
from tests.store.facts import AT, RUN, SES, created, run_finished, run_started, turn_finished, turn_queued, turn_started

pytestmark = pytest.mark.asyncio

OTHER = SessionId("ses_2")
COPY = SessionId("ses_3")


async def test_a_session_has_open_work_until_all_that_was_begun_has_ended(store: SqliteStore) -> None:
    await store.append(SES, [created(), turn_queued("turn_1"), turn_started("turn_1"), run_started(RUN)])
    await store.append(OTHER, [created(OTHER)])
    assert await store.sessions_with_open_work() == (SES,)

    await store.append(SES, [turn_finished("turn_1")])
    assert await store.sessions_with_open_work() == (SES,)
    await store.append(SES, [run_finished(RUN)])
    assert await store.sessions_with_open_work() == ()


async def test_neither_a_copy_nor_a_deleted_session_has_open_work(store: SqliteStore) -> None:
    await store.append(SES, [created(), run_started(RUN)])
    await store.fork(SES, COPY, AT)
    assert await store.sessions_with_open_work() == (SES,)

    await store.delete(SES, AT)
    assert await store.sessions_with_open_work() == ()
    await store.restore(SES)
    assert await store.sessions_with_open_work() == (SES,)


async def test_a_history_of_the_first_version_tells_of_its_open_work(directory: Path, open_store: OpenStore) -> None:
    store = await open_store()
    await store.append(SES, [created(), turn_started("turn_1"), run_started(RUN), turn_finished("turn_1")])
    await store.append(OTHER, [created(OTHER), turn_started("turn_2", OTHER), turn_finished("turn_2", OTHER)])
    await store.close()
    with closing(sqlite3.connect(directory / DATABASE, isolation_level=None)) as connection:
        connection.execute("DROP TABLE open_work")
        connection.execute("ALTER TABLE events DROP COLUMN checksum")
        connection.execute("ALTER TABLE sessions DROP COLUMN checksum")
        connection.execute("UPDATE events SET body = '{' WHERE place & 0xffffffff = 1")
        connection.execute("PRAGMA user_version = 1")

    assert await (await open_store()).sessions_with_open_work() == (SES,)
