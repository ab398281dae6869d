"""Damage costs what it hit and nothing else: whatever bytes are changed, a history opens, and what is lost is told."""

import random
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord
from teamwright.store.repair.copies import DatabaseCopies
from teamwright.store.schema import MIGRATIONS
from teamwright.store.sqlite import DATABASE, SqliteStore
from tests.store.conftest import OpenStore
from tests.store.damage import PAGE, break_search_index, overwrite, root_page
from tests.store.facts import SES, created, said, turn_started, updated, vote

pytestmark = pytest.mark.asyncio

OTHER = SessionId("ses_2")
LONG = "A bucket for each caller. " * 400


async def fill(store: SqliteStore) -> dict[SessionId, tuple[EventRecord, ...]]:
    one = [created(title="Limiter"), turn_started("turn_1"), *(vote(reason=f"reason {n} " * 9) for n in range(80))]
    two = [created(OTHER, title="Buckets"), said(LONG, OTHER), updated(OTHER, title="Long buckets")]
    return {SES: await store.append(SES, one), OTHER: await store.append(OTHER, two)}


async def read(store: SqliteStore, session_id: SessionId) -> tuple[EventRecord, ...]:
    return (await store.read_after(session_id)).records


def set_aside(directory: Path) -> list[Path]:
    return list(directory.glob("sessions.damaged-*.db"))


def clear(directory: Path) -> None:
    for leftover in directory.glob("sessions.*"):
        leftover.unlink()


async def test_a_broken_search_index_is_made_anew_by_itself(open_store: OpenStore, directory: Path) -> None:
    store = await open_store()
    await fill(store)
    await store.close()
    break_search_index(directory / DATABASE)

    searching = await open_store()
    assert [hit.session_id for hit in await searching.search("caller")] == [OTHER]
    await searching.close()
    break_search_index(directory / DATABASE)
    writing = await open_store()
    await writing.append(OTHER, [said("And a token for each request.", OTHER)])
    assert len(await writing.search("each")) == 2


async def test_an_index_that_cannot_even_be_dropped_costs_nothing(open_store: OpenStore, directory: Path) -> None:
    store = await open_store()
    logs = await fill(store)
    await store.close()
    with closing(sqlite3.connect(directory / DATABASE)) as vandal, vandal:
        vandal.execute("DROP TABLE texts_config")

    store = await open_store()
    assert [hit.session_id for hit in await store.search("caller")] == [OTHER]
    assert {session_id: await read(store, session_id) for session_id in logs} == logs


@pytest.mark.parametrize("what", ["schema", "sessions", "events", "header"])
async def test_a_history_whose_roots_are_broken_is_set_aside_and_brought_back(
    open_store: OpenStore, directory: Path, what: str
) -> None:
    store = await open_store()
    logs = await fill(store)
    await store.close()
    path = directory / DATABASE
    page = 1 if what in {"schema", "header"} else root_page(path, what)
    overwrite(path, page, 100 if what == "schema" else 0, PAGE if what != "header" else 100)

    store = await open_store()
    await store.append(SES, [vote()])

    assert {session_id: (await read(store, session_id))[: len(log)] for session_id, log in logs.items()} == logs
    assert [(each.title, each.session_id) for each in await store.sessions()] == [
        ("Long buckets", OTHER),
        ("Limiter", SES),
    ]
    assert [hit.session_id for hit in await store.search("caller")] == [OTHER]
    assert await store.sessions_with_open_work() == (SES,)
    assert len(set_aside(directory)) == 1


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_bytes_are_changed_what_is_read_is_what_was_written(
    open_store: OpenStore, directory: Path, seed: int
) -> None:
    store = await open_store()
    logs = await fill(store)
    await store.close()
    path, chance = directory / DATABASE, random.Random(seed)
    whole = path.read_bytes()
    for _ in range(12):
        clear(directory)
        content = bytearray(whole)
        for _ in range(chance.choice((1, 8, 200))):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)

        store = await open_store()
        await store.append(SessionId("ses_new"), [created(SessionId("ses_new"))])
        for each in await store.sessions():
            for record in await read(store, each.session_id):
                assert each.session_id == "ses_new" or record == logs[each.session_id][(record.seq or 0) - 1]
        await store.search("caller")
        await store.sessions_with_open_work()
        await store.close()


async def test_what_the_file_has_lost_a_copy_gives_back(open_store: OpenStore, directory: Path) -> None:
    store = await open_store()
    logs = await fill(store)
    assert await store.keep_daily_copy(date(2026, 11, 17)) == []
    later = await store.append(SES, [vote(reason="after the copy")])
    await store.close()
    path = directory / DATABASE
    overwrite(path, 1)
    content = bytearray(path.read_bytes())
    page = content.index(b"reason 40 reason 40") // PAGE
    content[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    path.write_bytes(content)

    store = await open_store()
    assert await read(store, SES) == (*logs[SES], *later)
    assert store.notice is not None
    assert "and nothing is missing" in store.notice


async def test_what_is_lost_is_told_by_title(open_store: OpenStore, directory: Path) -> None:
    store = await open_store()
    await fill(store)
    await store.close()
    path = directory / DATABASE
    overwrite(path, 1)
    path.write_bytes(path.read_bytes().replace(b"reason 40 reason 40", b"reason 40 raeson 40"))

    store = await open_store()
    (aside,) = set_aside(directory)
    assert store.notice == (
        f"{path} is damaged; it was kept as {aside.name}. 2 sessions with 84 records could be brought back; "
        "lost: 1 record of “Limiter”."
    )


@pytest.mark.parametrize("is_empty", [True, False], ids=["empty", "missing"])
async def test_a_write_ahead_log_beside_a_database_that_is_gone_is_read(
    open_store: OpenStore, directory: Path, *, is_empty: bool
) -> None:
    store = await open_store()
    logs = await fill(store)
    path = directory / DATABASE
    left = {name: path.with_name(name).read_bytes() for name in (f"{DATABASE}-wal", f"{DATABASE}-shm")}
    await store.close()
    path.unlink()
    if is_empty:
        path.touch()
    for name, content in left.items():
        path.with_name(name).write_bytes(content)

    store = await open_store()
    assert {session_id: await read(store, session_id) for session_id in logs} == logs
    assert store.notice is not None
    assert store.notice.startswith(f"{path} is {'empty' if is_empty else 'missing'}. 2 sessions with 85 records")


async def test_a_recovery_that_was_killed_is_made_up_for_at_the_next_start(
    open_store: OpenStore, directory: Path
) -> None:
    store = await open_store()
    logs = await fill(store)
    await store.close()
    path = directory / DATABASE
    path.rename(path.with_name("sessions.damaged-20261117T120000000000Z.db"))
    path.with_name("sessions.recovering.db").write_bytes(b"half of it")

    store = await open_store()
    assert {session_id: await read(store, session_id) for session_id in logs} == logs
    assert not path.with_name("sessions.recovering.db").exists()


async def test_a_history_that_is_gone_without_a_copy_is_told_of(open_store: OpenStore, directory: Path) -> None:
    store = await open_store()
    await fill(store)
    await store.close()
    path = directory / DATABASE
    path.unlink()

    store = await open_store()
    assert store.notice == f"{path} is missing and a new history was begun. No session could be brought back."
    await store.close()
    assert (await open_store()).notice is None


async def test_what_was_deleted_stays_so_and_what_was_removed_for_good_does_not_come_back(
    open_store: OpenStore, directory: Path
) -> None:
    store = await open_store()
    logs = await fill(store)
    await store.keep_daily_copy(date(2026, 11, 17))
    at = logs[SES][0].at
    await store.delete(OTHER, at)
    await store.purge(at + timedelta(days=1))
    await store.append(OTHER, [created(OTHER)])
    await store.delete(SES, at)
    await store.close()
    path = directory / DATABASE
    overwrite(path, root_page(path, "events"))

    store = await open_store()
    assert [each.session_id for each in await store.sessions()] == [OTHER]
    assert await store.read_after(OTHER) != logs[OTHER]
    await store.restore(SES)
    assert await read(store, SES) == logs[SES]


async def test_of_the_copies_only_the_latest_are_kept_and_none_of_what_is_damaged(
    open_store: OpenStore, directory: Path
) -> None:
    store = await open_store()
    assert await store.keep_daily_copy(date(2026, 11, 1)) == [], "there is nothing yet"
    await fill(store)
    for day in range(1, 6):
        assert await store.keep_daily_copy(date(2026, 11, day)) == []
    await store.close()
    kept = [f"sessions.daily-2026-11-0{day}.db" for day in (5, 4, 3)]
    copies = DatabaseCopies(directory / DATABASE)
    assert [path.name for path in copies.newest_first()] == kept
    assert {path.stat().st_mode & 0o777 for path in copies.directory.iterdir()} == {0o600}

    with closing(sqlite3.connect(directory / DATABASE)) as vandal, vandal:
        vandal.execute("UPDATE events SET body = replace(body, 'reason 7 ', 'reason 8 ') WHERE body LIKE '%reason 7 %'")
    store = await open_store()
    assert await store.keep_daily_copy(date(2026, 11, 6)) == ["1 record of “Limiter” cannot be read."]
    assert [path.name for path in copies.newest_first()] == kept


async def test_a_copy_is_kept_before_the_tables_are_changed(open_store: OpenStore, directory: Path) -> None:
    store = await open_store()
    logs = await fill(store)
    await store.close()
    with closing(sqlite3.connect(directory / DATABASE)) as connection:
        connection.execute("ALTER TABLE events DROP COLUMN checksum")
        connection.execute("ALTER TABLE sessions DROP COLUMN checksum")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) - 1}")

    store = await open_store()
    assert {session_id: await read(store, session_id) for session_id in logs} == logs
    (copy,) = (directory / "copies").iterdir()
    assert copy.name.startswith(f"sessions.before-version-{len(MIGRATIONS) - 1}-")
    with closing(sqlite3.connect(copy)) as before:
        assert before.execute("SELECT count(*) FROM events").fetchone() == (85,)
