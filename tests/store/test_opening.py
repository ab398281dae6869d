"""Opening: whatever lies at the path, nothing is overwritten, and nothing is open to other users."""

import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from teamwright.store.errors import StoreError
from teamwright.store.locks import FileLock, Owner
from teamwright.store.opening import open_database
from teamwright.store.schema import APPLICATION_ID, MIGRATIONS, migrate, version_of
from teamwright.store.sqlite import DATABASE, SqliteStore
from tests.store.conftest import OpenStore
from tests.store.facts import SES, created
from tests.support.patience import PATIENCE_SECONDS

OWNER = Owner(1, "test", "here")


def set_aside(directory: Path) -> list[Path]:
    return sorted(directory.glob("sessions.*-*.db"))


def modes_below(directory: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in directory.rglob("*")}


def open_to_others(directory: Path) -> None:
    directory.chmod(0o755)
    (directory / DATABASE).chmod(0o644)


@pytest.mark.asyncio
async def test_everything_is_for_the_users_eyes_only(tmp_path: Path) -> None:
    directory = tmp_path / "new" / "state"
    umask = os.umask(0)
    try:
        store = await SqliteStore.open(directory, OWNER)
        await store.append(SES, [created()])
        modes = modes_below(tmp_path)
        await store.close()
    finally:
        os.umask(umask)

    lock = next(name for name in modes if name.endswith(".lock"))
    assert modes == {
        "new": 0o700,
        "state": 0o700,
        "locks": 0o700,
        lock: 0o600,
        DATABASE: 0o600,
        f"{DATABASE}-wal": 0o600,
        f"{DATABASE}-shm": 0o600,
    }


@pytest.mark.asyncio
async def test_a_history_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    await (await SqliteStore.open(tmp_path / "state", OWNER)).close()
    open_to_others(tmp_path / "state")

    await (await SqliteStore.open(tmp_path / "state", OWNER)).close()

    assert modes_below(tmp_path) == {"state": 0o700, DATABASE: 0o600}


@pytest.mark.asyncio
async def test_a_history_opens_again_as_it_was_left(open_store: OpenStore) -> None:
    store = await open_store()
    await store.append(SES, [created()])
    await store.close()

    again = await open_store()

    assert again.notice is None
    assert await again.last_seq(SES) == 1


@pytest.mark.asyncio
async def test_a_history_of_a_newer_version_is_refused_and_left_untouched(
    open_store: OpenStore, directory: Path
) -> None:
    await (await open_store()).close()
    path = directory / DATABASE
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = path.read_bytes()

    with pytest.raises(StoreError) as refused:
        await open_store()

    assert str(refused.value) == (
        f"{path} is of a newer version of Teamwright and was left as it is: update Teamwright, "
        "or choose another place by TEAMWRIGHT_STATE_DIR."
    )
    assert path.read_bytes() == before
    assert set_aside(directory) == []


def garbage(path: Path) -> None:
    path.write_bytes(b"This is not a database. " * 400)


def someone_elses(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE notes (text)")


def broken_schema(path: Path) -> None:
    open_database(path, OWNER).connection.close()
    content = bytearray(path.read_bytes())
    content[100:4096] = os.urandom(3996)
    path.write_bytes(content)


def without_its_tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        other.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("spoil", "condition"),
    [(garbage, "damaged"), (broken_schema, "damaged"), (without_its_tables, "damaged"), (someone_elses, "foreign")],
)
async def test_what_is_damaged_or_not_ours_is_set_aside_and_reported(
    open_store: OpenStore, directory: Path, spoil: Callable[[Path], None], condition: str
) -> None:
    path = directory / DATABASE
    spoil(path)
    before = path.read_bytes()

    store = await open_store()

    (aside,) = set_aside(directory)
    assert aside.name.startswith(f"sessions.{condition}-{datetime.now(UTC):%Y}")
    assert aside.read_bytes() == before
    what = "is damaged" if condition == "damaged" else "is not a history of Teamwright"
    nothing = " No session could be brought back." if condition == "damaged" else ""
    assert store.notice == f"{path} {what}; it was kept as {aside.name} and a new history was begun.{nothing}"
    await store.append(SES, [created()])
    assert await store.last_seq(SES) == 1


@pytest.mark.asyncio
async def test_two_windows_never_put_each_others_history_aside(open_store: OpenStore, directory: Path) -> None:
    garbage(directory / DATABASE)
    at_work = FileLock.take(directory / "repair.lock", OWNER)
    assert at_work is not None

    with pytest.raises(StoreError, match="Another window is just putting"):
        await open_store()

    assert set_aside(directory) == []
    at_work.give_back()
    await open_store()
    assert len(set_aside(directory)) == 1


def test_a_history_of_an_earlier_version_is_brought_forward_in_one_step(directory: Path) -> None:
    with closing(open_database(directory / DATABASE, OWNER).connection) as connection:
        later = (*MIGRATIONS, ("ALTER TABLE sessions ADD COLUMN colour TEXT", "UPDATE sessions SET colour = 'red'"))
        failing = (*later, ("CREATE TABLE more (x)", "THIS IS NOT SQL"))

        with pytest.raises(sqlite3.OperationalError):
            migrate(connection, failing)
        assert version_of(connection) == len(MIGRATIONS)

        migrate(connection, later)
        migrate(connection, later)
        assert version_of(connection) == len(later)
        assert connection.execute("SELECT colour FROM sessions").fetchall() == []


@pytest.mark.asyncio
async def test_a_place_that_cannot_be_made_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    with pytest.raises(StoreError, match=r"cannot be written .*: make it writable, or set TEAMWRIGHT_STATE_DIR"):
        await SqliteStore.open(tmp_path / "file" / "state", OWNER)


@pytest.mark.asyncio
async def test_processes_that_open_at_the_same_moment_all_succeed(directory: Path) -> None:
    """Each opens when its standard input ends, which is at the same moment for all."""
    code = (
        "import asyncio, sys; from pathlib import Path\n"
        "from teamwright.store.sqlite import SqliteStore; from teamwright.store.locks import Owner\n"
        "print('ready', flush=True); sys.stdin.read()\n"
        "asyncio.run(asyncio.wait_for(SqliteStore.open(Path(sys.argv[1]), Owner.this_process('test')), 20))\n"
    )
    pipe_end, start = os.pipe()
    children = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, str(directory), stdin=pipe_end, stdout=asyncio.subprocess.PIPE
        )
        for _ in range(4)
    ]
    os.close(pipe_end)
    for child in children:
        assert child.stdout is not None
        assert await asyncio.wait_for(child.stdout.readline(), PATIENCE_SECONDS) == b"ready\n"
    os.close(start)

    ended = asyncio.gather(*(child.wait() for child in children))
    assert await asyncio.wait_for(ended, PATIENCE_SECONDS) == [0, 0, 0, 0]


@pytest.mark.asyncio
async def test_a_database_in_which_something_runs_by_itself_is_put_aside(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path, OWNER)
    await store.append(SES, [created()])
    await store.close()
    with closing(sqlite3.connect(tmp_path / DATABASE)) as hostile:
        hostile.execute("CREATE TRIGGER odd AFTER INSERT ON events BEGIN DELETE FROM sessions; END")
        hostile.commit()

    store = await SqliteStore.open(tmp_path, OWNER)
    notice, sessions = store.notice, await store.sessions()
    await store.close()
    assert notice is not None
    assert "is not a history of Teamwright" in notice
    assert sessions == ()


@pytest.mark.parametrize(
    "statement",
    ["ATTACH ':memory:' AS other", "CREATE TEMP VIEW v AS SELECT 1", "PRAGMA writable_schema = ON"],
)
def test_a_connection_does_nothing_that_no_statement_of_ours_needs(tmp_path: Path, statement: str) -> None:
    with closing(open_database(tmp_path / DATABASE, OWNER).connection) as connection:
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
        with pytest.raises(sqlite3.DatabaseError):
            connection.execute(statement)
