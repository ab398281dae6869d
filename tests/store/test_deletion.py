"""Deleting: out of sight at once, back by an undo, gone for good only when asked."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from teamwright.protocol.errors import Conflict, NotFound
from teamwright.protocol.ids import RunId, SessionId
from teamwright.store.locks import Owner, SessionLocks
from teamwright.store.port import LogPage, Purged
from teamwright.store.sqlite import DATABASE, SqliteStore
from tests.store.conftest import OpenStore
from tests.store.facts import AT, SES, created, numbered, said, summary, vote

pytestmark = pytest.mark.asyncio

LATER = AT + timedelta(days=30)


def rows_left(directory: Path) -> list[int]:
    with closing(sqlite3.connect(directory / DATABASE)) as connection:
        return [
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
            for table in ("sessions", "events", "texts")
        ]


async def test_a_deleted_session_is_out_of_sight_everywhere(store: SqliteStore) -> None:
    await store.append(SES, [created(), said("needle"), vote()])

    await store.delete(SES, AT)

    assert await store.sessions() == ()
    assert await store.search("needle") == ()
    for use in (store.read_after(SES), store.append(SES, [vote()]), store.claim(SES), store.summary(SES)):
        with pytest.raises(NotFound, match="if it was deleted, restore it first"):
            await use
    with pytest.raises(NotFound):
        await store.find_session(RunId("run_1"))


async def test_restoring_brings_everything_back(store: SqliteStore) -> None:
    log = numbered(created(), said("needle"))
    await store.append(SES, [created(), said("needle")])
    await store.delete(SES, AT)

    await store.restore(SES)

    assert await store.sessions() == (summary(SES),)
    assert await store.read_after(SES) == LogPage(log, (), more=False)
    assert [hit.seq for hit in await store.search("needle")] == [2]
    assert await store.append(SES, [vote()]) == numbered(vote(), after=2)


async def test_purging_removes_for_good_what_was_deleted_long_enough_ago(store: SqliteStore, directory: Path) -> None:
    recent, kept = SessionId("ses_recent"), SessionId("ses_kept")
    for session_id in (SES, recent, kept):
        await store.append(session_id, [created(session_id), said("needle", session_id)])
    await store.delete(SES, AT)
    await store.delete(recent, LATER)

    assert await store.purge(deleted_before=LATER) == Purged(sessions=1, runs=())

    assert rows_left(directory) == [2, 4, 2]
    await store.restore(recent)
    assert {found.session_id for found in await store.sessions()} == {recent, kept}
    with pytest.raises(NotFound, match="removed for good"):
        await store.restore(SES)


async def test_purging_names_the_runs_that_nobody_knows_any_more_but_not_those_of_a_fork(store: SqliteStore) -> None:
    fork = SessionId("ses_fork")
    await store.append(SES, [created(), vote()])
    await store.fork(SES, fork, AT)
    await store.delete(SES, AT)
    assert await store.purge(deleted_before=LATER) == Purged(sessions=1, runs=())

    await store.delete(fork, AT)

    assert await store.purge(deleted_before=LATER) == Purged(sessions=1, runs=(RunId("run_1"),))


async def test_purging_passes_over_what_another_process_is_about_to_bring_back(
    store: SqliteStore, directory: Path
) -> None:
    await store.append(SES, [created()])
    await store.delete(SES, AT)
    other = SessionLocks(directory / "locks", Owner(1, "neovim", "elsewhere"))

    with other.held(SES):
        assert await store.purge(deleted_before=LATER) == Purged(sessions=0, runs=())

    assert await store.purge(deleted_before=LATER) == Purged(sessions=1, runs=())


async def test_a_session_never_inherits_what_a_purged_one_left(store: SqliteStore) -> None:
    await store.append(SES, [created(), said("needle")])
    await store.delete(SES, AT)
    await store.purge(deleted_before=LATER)

    await store.append(SES, [created(title="Anew")])

    assert await store.read_after(SES) == LogPage(numbered(created(title="Anew")), (), more=False)
    assert await store.search("needle") == ()


async def test_deleting_what_another_window_writes_to_is_refused(store: SqliteStore, open_store: OpenStore) -> None:
    await store.append(SES, [created()])
    other = await open_store(editor="neovim")

    with pytest.raises(Conflict, match="open for writing in vscode"):
        await other.delete(SES, AT)

    await store.release(SES)
    await other.delete(SES, AT)
    assert await store.sessions() == ()


async def test_deleting_and_restoring_what_is_not_there_says_so(store: SqliteStore) -> None:
    with pytest.raises(NotFound, match="There is no session ses_1"):
        await store.delete(SES, AT)
    with pytest.raises(NotFound, match="There is no session ses_1 to restore"):
        await store.restore(SES)
