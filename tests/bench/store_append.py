"""Appending: how long until it is on disk, and how many a second, against bare SQLite doing the same by hand.

By hand means: the same records numbered and serialised, inserted into a table of the same shape in groups of the same
size, committed with the same durability in a thread beside the event loop. Rounds of both alternate.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord
from teamwright.store.locks import Owner
from teamwright.store.schema import connect
from teamwright.store.sqlite import SqliteStore
from tests.store.facts import created, vote

SESSIONS = [SessionId(f"ses_{n}") for n in range(5)]
Round = Callable[[Sequence[EventRecord]], Awaitable[object]]


class BareSqlite:
    def __init__(self, path: Path) -> None:
        self._connection = connect(path)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, run_id TEXT, subject TEXT, body TEXT)")
        self._connection.execute("CREATE INDEX events_by_run ON events (run_id) WHERE run_id IS NOT NULL")
        self._thread = ThreadPoolExecutor(1)
        self._last = 0

    async def commit(self, records: Sequence[EventRecord]) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, records)

    async def acknowledge_each(self, records: Sequence[EventRecord]) -> None:
        """One commit, and as many writers as records that wait for it."""
        commit = asyncio.ensure_future(self.commit(records))

        async def acknowledged() -> None:
            await asyncio.shield(commit)

        await asyncio.gather(*(acknowledged() for _ in records))

    def close(self) -> None:
        self._thread.shutdown()
        self._connection.close()

    def _commit(self, records: Sequence[EventRecord]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        numbered = [record.model_copy(update={"seq": seq}) for seq, record in enumerate(records, self._last + 1)]
        self._connection.executemany(
            "INSERT INTO events VALUES (?, ?, ?, ?)",
            [(each.seq, each.run_id, None, each.to_json()) for each in numbered],
        )
        self._connection.execute("COMMIT")
        self._last += len(records)


async def side_by_side(
    bare: Round, ours: Round, rounds: int, records: Callable[[int], list[EventRecord]]
) -> tuple[float, float]:
    """The median seconds of a round, bare and ours."""
    taken: tuple[list[float], list[float]] = ([], [])
    for n in range(rounds):
        for each, times in zip((bare, ours), taken, strict=True):
            facts = records(n)
            begun = perf_counter()
            await each(facts)
            times.append(perf_counter() - begun)
    return median(taken[0]), median(taken[1])


async def measure(directory: Path) -> None:
    store = await SqliteStore.open(directory / "store", Owner.this_process("bench"))
    for session_id in SESSIONS:
        await store.append(session_id, [created(session_id)])
    bare = BareSqlite(directory / "bare.db")

    async def all_at_once(records: Sequence[EventRecord]) -> None:
        await store.append(SESSIONS[0], records)

    async def each_by_itself(records: Sequence[EventRecord]) -> None:
        await asyncio.gather(*(store.append(record.session_id or SESSIONS[0], [record]) for record in records))

    def one(n: int) -> list[EventRecord]:
        return [vote(SESSIONS[0], reason=f"The second answer covers the empty list ({n}).")]

    def twenty(n: int) -> list[EventRecord]:
        return [vote(SESSIONS[k % 5], reason=f"Answer {k} covers the empty list ({n}).") for k in range(20)]

    def thousand(n: int) -> list[EventRecord]:
        return [vote(SESSIONS[0], reason=f"Answer {k} covers the empty list ({n}).") for k in range(1000)]

    report("one append acknowledged", *await side_by_side(bare.commit, all_at_once, 400, one), size=1)
    report(
        "twenty writers acknowledged", *await side_by_side(bare.acknowledge_each, each_by_itself, 200, twenty), size=20
    )
    report("a thousand records appended", *await side_by_side(bare.commit, all_at_once, 40, thousand), size=1000)
    bare.close()
    await store.close()


def report(what: str, bare: float, ours: float, *, size: int) -> None:
    print(
        f"{what}: {ours * 1000:.2f} ms, bare SQLite {bare * 1000:.2f} ms, ratio {ours / bare:.2f} "
        f"({size / ours:,.0f} records a second)"
    )


def main() -> None:
    with TemporaryDirectory() as directory:
        print(f"SQLite {sqlite3.sqlite_version}, WAL, synchronous FULL")
        asyncio.run(measure(Path(directory)))


if __name__ == "__main__":
    main()
