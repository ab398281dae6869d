"""Appending: numbered without a gap, on disk when acknowledged, all or nothing."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pydantic_core import PydanticSerializationError

from teamwright.protocol.errors import NotFound
from teamwright.protocol.events import ItemDelta
from teamwright.protocol.ids import ItemId, SessionId
from teamwright.protocol.items import ToolCall
from teamwright.protocol.records import EventRecord
from teamwright.store.errors import StoreError
from teamwright.store.port import LogPage
from teamwright.store.sqlite import DATABASE, SqliteStore
from tests.store.conftest import OpenStore
from tests.store.facts import AT, SES, created, finished, numbered, said, updated, vote
from tests.store.wal import commits_in

pytestmark = pytest.mark.asyncio


async def test_records_are_numbered_from_one_and_read_back_as_they_were(store: SqliteStore) -> None:
    first = await store.append(SES, [created(), vote()])
    second = await store.append(SES, [said("Done.")])

    assert (first, second) == (numbered(created(), vote()), numbered(said("Done."), after=2))
    assert await store.read_after(SES) == LogPage((*first, *second), (), more=False)


async def test_what_is_acknowledged_is_seen_by_every_other_process(store: SqliteStore, directory: Path) -> None:
    await store.append(SES, [created()])

    with closing(sqlite3.connect(directory / DATABASE)) as other:
        assert other.execute("SELECT count(*) FROM events").fetchone() == (1,)


async def test_sessions_written_side_by_side_keep_a_gapless_count_each(store: SqliteStore) -> None:
    sessions = [SessionId(f"ses_{n}") for n in range(5)]
    for session_id in sessions:
        await store.append(session_id, [created(session_id)])

    async def write(session_id: SessionId) -> list[int | None]:
        appended = [await store.append(session_id, [vote(session_id), vote(session_id)]) for _ in range(10)]
        return [record.seq for records in appended for record in records]

    written = await asyncio.gather(*(write(session_id) for session_id in sessions for _ in range(4)))

    for number, session_id in enumerate(sessions):
        acknowledged = sorted(seq or 0 for seqs in written[number * 4 : number * 4 + 4] for seq in seqs)
        assert acknowledged == list(range(2, 82))
        page = await store.read_after(session_id)
        assert [record.seq for record in page.records] == list(range(1, 82))


async def test_writers_that_wait_together_share_one_commit(store: SqliteStore, directory: Path) -> None:
    await store.append(SES, [created()])
    before = commits_in(directory / DATABASE)

    with closing(sqlite3.connect(directory / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = [asyncio.create_task(store.append(SES, [vote()])) for _ in range(50)]
        # The event loop goes on while the writer waits: reading answers meanwhile.
        assert await store.last_seq(SES) == 1
        other.execute("ROLLBACK")

    await asyncio.gather(*waiting)
    assert await store.last_seq(SES) == 51
    assert commits_in(directory / DATABASE) - before == 1


async def test_more_writers_than_the_queue_holds_all_get_their_turn_in_order(store: SqliteStore) -> None:
    await store.append(SES, [created()])

    appended = await asyncio.gather(*(store.append(SES, [vote()]) for _ in range(3000)))

    assert [record.seq for (record,) in appended] == list(range(2, 3002))


async def test_a_record_that_cannot_be_written_spoils_nobody_elses(store: SqliteStore) -> None:
    await store.append(SES, [created()])
    lone_surrogate = finished(ToolCall(item_id=ItemId("item_1"), name="read_file", arguments={"path": "\ud800"}))

    outcomes = await asyncio.gather(
        store.append(SES, [vote()]),
        store.append(SES, [vote(), lone_surrogate]),
        store.append(SES, [vote()]),
        return_exceptions=True,
    )

    assert outcomes[0] == numbered(vote(), after=1)
    assert isinstance(outcomes[1], PydanticSerializationError)
    assert outcomes[2] == numbered(vote(), after=2)
    assert await store.last_seq(SES) == 3


async def test_a_session_begins_with_its_creation(store: SqliteStore) -> None:
    with pytest.raises(NotFound, match="no session ses_1"):
        await store.append(SES, [vote()])

    assert await store.sessions() == ()


@pytest.mark.parametrize(
    "misfit",
    [
        EventRecord(seq=None, at=AT, session_id=SES, event=ItemDelta(item_id=ItemId("item_1"), offset=0, text="a")),
        numbered(vote())[0],
        vote(SessionId("ses_2")),
    ],
    ids=["transient", "numbered already", "of another session"],
)
async def test_what_does_not_belong_into_the_log_is_refused(store: SqliteStore, misfit: EventRecord) -> None:
    await store.append(SES, [created()])

    with pytest.raises(ValueError, match="cannot be appended"):
        await store.append(SES, [vote(), misfit])

    assert await store.last_seq(SES) == 1


async def test_appending_nothing_changes_nothing(store: SqliteStore) -> None:
    assert await store.append(SES, []) == ()
    assert await store.sessions() == ()


async def test_cancelling_the_caller_takes_back_nothing(store: SqliteStore, directory: Path) -> None:
    await store.append(SES, [created()])

    with closing(sqlite3.connect(directory / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(store.append(SES, [vote()]))
        await store.last_seq(SES)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        other.execute("ROLLBACK")

    assert await store.append(SES, [updated()]) == numbered(updated(), after=2)


async def test_closing_finishes_what_was_begun(open_store: OpenStore) -> None:
    store = await open_store()
    tasks = [asyncio.create_task(store.append(SES, [created()]))]
    tasks += [asyncio.create_task(store.append(SES, [vote()])) for _ in range(20)]
    await asyncio.sleep(0)

    await store.close()

    await asyncio.gather(*tasks)
    assert await (await open_store()).last_seq(SES) == 21


async def test_a_closed_store_says_so_instead_of_waiting_for_ever(open_store: OpenStore) -> None:
    store = await open_store()
    await store.close()

    for use in (store.append(SES, [created()]), store.last_seq(SES)):
        with pytest.raises(StoreError, match="The history is closed"):
            await asyncio.wait_for(use, 10)


async def test_two_stores_take_turns_at_one_database(open_store: OpenStore) -> None:
    windows = [await open_store(), await open_store()]

    async def write(window: SqliteStore, session_id: SessionId) -> None:
        await window.append(session_id, [created(session_id)])
        for _ in range(30):
            await window.append(session_id, [vote(session_id)])

    ids = [SessionId("ses_a"), SessionId("ses_b")]
    await asyncio.gather(*(write(*pair) for pair in zip(windows, ids, strict=True)))

    assert [await windows[0].last_seq(session_id) for session_id in ids] == [31, 31]
