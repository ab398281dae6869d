"""Reading a log: by the page, in both directions, of one run; and past what is damaged."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from zlib import crc32

import pytest
import pytest_asyncio

from teamwright.protocol.errors import NotFound
from teamwright.protocol.ids import RunId, SessionId
from teamwright.store.port import Damaged, LogPage, stream
from teamwright.store.sqlite import DATABASE, SqliteStore
from tests.store.conftest import OpenStore
from tests.store.facts import RUN, SES, asked, created, decided, found, numbered, turn_queued, turn_started, vote

pytestmark = pytest.mark.asyncio

LOG = numbered(created(), *(vote(reason=f"reason {n}") for n in range(2, 11)))


@pytest_asyncio.fixture
async def ten(store: SqliteStore) -> AsyncIterator[SqliteStore]:
    """One session with ten records, between two others."""
    await store.append(SessionId("ses_0"), [created(SessionId("ses_0"))])
    await store.append(SES, [record.model_copy(update={"seq": None}) for record in LOG])
    await store.append(SessionId("ses_2"), [created(SessionId("ses_2"))])
    yield store


def rewrite(directory: Path, seq: int, body: bytes, *, checksum: int | None = None) -> None:
    """As if it had been written so, unless a checksum of something else is given."""
    with closing(sqlite3.connect(directory / DATABASE)) as vandal, vandal:
        changed = vandal.execute(
            "UPDATE events SET body = CAST(? AS TEXT), checksum = ? WHERE place = "
            "(SELECT number << 32 | ? FROM sessions WHERE session_id = 'ses_1')",
            (body, crc32(body) if checksum is None else checksum, seq),
        )
        assert changed.rowcount == 1


async def test_reading_on_gives_what_follows_and_says_whether_there_is_more(ten: SqliteStore) -> None:
    assert await ten.read_after(SES, 3, limit=4) == LogPage(LOG[3:7], (), more=True)
    assert await ten.read_after(SES, 6, limit=4) == LogPage(LOG[6:], (), more=False)
    assert await ten.read_after(SES, 10) == LogPage((), (), more=False)
    assert await ten.read_after(SES, 99) == LogPage((), (), more=False)


async def test_reading_back_gives_the_last_ones_before(ten: SqliteStore) -> None:
    assert await ten.read_before(SES, limit=3) == LogPage(LOG[7:], (), more=True)
    assert await ten.read_before(SES, 8, limit=3) == LogPage(LOG[4:7], (), more=True)
    assert await ten.read_before(SES, 4, limit=3) == LogPage(LOG[:3], (), more=False)
    assert await ten.read_before(SES, 1) == LogPage((), (), more=False)
    assert await ten.read_before(SES, 99, limit=1) == LogPage(LOG[9:], (), more=True)


async def test_a_log_streams_in_pages(ten: SqliteStore) -> None:
    pages = [page async for page in stream(ten, SES, after=1, batch=4)]

    assert pages == [
        LogPage(LOG[1:5], (), more=True),
        LogPage(LOG[5:9], (), more=True),
        LogPage(LOG[9:], (), more=False),
    ]
    assert [page async for page in stream(ten, SES, after=10)] == []


async def test_one_run_is_read_out_of_its_session(store: SqliteStore) -> None:
    other = RunId("run_2")
    log = [created(), vote(run_id=RUN), vote(run_id=other), vote(run_id=RUN), vote(run_id=other)]
    await store.append(SES, log)
    copy = SessionId("ses_2")
    await store.append(copy, [created(copy), vote(copy, run_id=RUN)])

    of_run = numbered(*log)

    assert await store.read_after(SES, run_id=RUN) == LogPage((of_run[1], of_run[3]), (), more=False)
    assert await store.read_after(SES, 2, run_id=other, limit=1) == LogPage((of_run[2],), (), more=True)


async def test_another_window_reads_what_is_written_while_it_is_written(
    ten: SqliteStore, open_store: OpenStore
) -> None:
    other = await open_store(editor="neovim")
    assert await other.read_after(SES, 10) == LogPage((), (), more=False)

    written = await ten.append(SES, [vote()])

    assert await other.read_after(SES, 10) == LogPage(written, (), more=False)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{broken", "A record is not JSON; it is passed over."),
        (b"\xff\xfe", "A record is not JSON; it is passed over."),
        (
            LOG[4].to_json().replace("vote.cast", "vote.weighed").encode(),
            "A record of the unknown type 'vote.weighed' is passed over; a newer version may have written it.",
        ),
        (LOG[5].to_json().encode(), "A record is not where it belongs; it is passed over."),
    ],
    ids=["not JSON", "not text", "of a newer version", "misplaced"],
)
async def test_a_damaged_record_costs_only_itself(ten: SqliteStore, directory: Path, body: bytes, reason: str) -> None:
    rewrite(directory, 5, body)

    assert await ten.read_after(SES) == LogPage((*LOG[:4], *LOG[5:]), (Damaged(5, reason),), more=False)
    assert await ten.append(SES, [vote()]) == numbered(vote(), after=10)


async def test_a_record_that_was_altered_on_the_disk_is_noticed_by_its_checksum(
    ten: SqliteStore, directory: Path
) -> None:
    whole = LOG[4].to_json().encode()
    rewrite(directory, 5, whole.replace(b"reason 5", b"reason 6"), checksum=crc32(whole))

    altered = Damaged(5, "A record was altered on the disk; it is passed over.")
    assert await ten.read_after(SES) == LogPage((*LOG[:4], *LOG[5:]), (altered,), more=False)
    assert (await ten.export_log(SES))[3:6] == (LOG[3].to_json(), "", LOG[5].to_json())


async def test_a_page_that_ends_with_damage_is_read_on_after_it(ten: SqliteStore, directory: Path) -> None:
    rewrite(directory, 5, b"")

    pages = [page async for page in stream(ten, SES, batch=5)]

    assert [page.last_seq for page in pages] == [5, 10]
    assert [record.seq for page in pages for record in page.records] == [1, 2, 3, 4, 6, 7, 8, 9, 10]


async def test_a_broken_page_of_the_file_costs_only_the_records_on_it(open_store: OpenStore, directory: Path) -> None:
    store = await open_store()
    await store.append(SES, [created(), *(vote(reason=f"reason {n} " * 20) for n in range(2, 201))])
    await store.close()
    path = directory / DATABASE
    content = bytearray(path.read_bytes())
    page = content.index(b"reason 100 reason 100") // 4096
    content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    path.write_bytes(content)

    store = await open_store()
    read = await store.read_after(SES)

    lost = [each.seq for each in read.damaged]
    assert 100 in lost
    assert lost == list(range(lost[0], lost[-1] + 1))
    assert len(lost) < 20
    assert [record.seq for record in read.records] == [seq for seq in range(1, 201) if seq not in lost]
    assert len(await store.export_log(SES)) == 200
    assert read.damaged[0].reason == "A record lies on a broken part of the disk or file; it is passed over."


async def test_a_record_that_is_gone_is_reported_in_its_place(ten: SqliteStore, directory: Path) -> None:
    with closing(sqlite3.connect(directory / DATABASE)) as vandal, vandal:
        vandal.execute("DELETE FROM events WHERE body LIKE '%reason 5%'")

    gone = Damaged(5, "A record lies on a broken part of the disk or file; it is passed over.")
    assert await ten.read_after(SES, 3) == LogPage((LOG[3], *LOG[5:]), (gone,), more=False)
    assert await ten.read_before(SES, 7, limit=3) == LogPage((LOG[3], LOG[5]), (gone,), more=True)
    assert (await ten.export_log(SES))[3:6] == (LOG[3].to_json(), "", LOG[5].to_json())


async def test_things_are_found_by_their_ids(store: SqliteStore) -> None:
    await store.append(SES, [created(), turn_queued("turn_1"), turn_started("turn_1"), asked("dec_1"), found("find_1")])
    copy = SessionId("ses_2")
    await store.append(copy, [created(copy), asked("dec_1", copy), asked("dec_2", copy), decided("dec_2", copy)])

    things = ["run_1", "turn_1", "dec_1", "find_1", "dec_2"]
    assert [await store.find_session(RunId(thing)) for thing in things] == [SES, SES, SES, SES, copy]
    with pytest.raises(NotFound, match="There is no dec_9 in any session of this workspace"):
        await store.find_session(RunId("dec_9"))


async def test_reading_what_is_not_there_says_so(store: SqliteStore) -> None:
    for reading in (store.read_after(SES), store.read_before(SES), store.last_seq(SES), store.export_log(SES)):
        with pytest.raises(NotFound, match="There is no session ses_1"):
            await reading
