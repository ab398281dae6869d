"""Among ten thousand sessions: the list, the search, and the opening of a session of ten thousand events.

Against bare SQLite that asks for the same rows and makes the same objects of them. Rounds of both alternate.
"""

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord, read_record
from teamwright.protocol.views import SessionSummary
from teamwright.store.locks import Owner
from teamwright.store.port import stream
from teamwright.store.schema import connect
from teamwright.store.sqlite import DATABASE, SqliteStore
from tests.store.facts import created, vote, whole_turn

SESSIONS = 10_000
EVENTS = 10_000
LONG = SessionId("ses_long")

# A few words are in everybody's mouth and most are rare, as in real talk.
SYLLABLES = [consonant + vowel for consonant in "bdfghklmnprstvz" for vowel in "aeiou"]
VOCABULARY = ["".join(random.Random(n).choices(SYLLABLES, k=2 + n % 3)) for n in range(5000)]
WEIGHTS = [1 / (n + 1) for n in range(5000)]
COMMON, FREQUENT, RARE = VOCABULARY[0], VOCABULARY[20], VOCABULARY[4000]


def talk(chance: random.Random, length: int) -> str:
    return " ".join(chance.choices(VOCABULARY, WEIGHTS, k=length))


async def fill(store: SqliteStore) -> None:
    chance = random.Random(1)

    async def session(n: int) -> None:
        session_id = SessionId(f"ses_{n:05}")
        turns = [whole_turn(f"turn_{n}_{turn}", talk(chance, 15), talk(chance, 80), session_id) for turn in range(2)]
        preview = created(session_id, title=talk(chance, 6), last_message=talk(chance, 30))
        await store.append(session_id, [preview, *turns[0], *turns[1]])
        # Held sessions keep a file open each; nobody writes to ten thousand at a time.
        await store.release(session_id)

    for start in range(0, SESSIONS, 100):
        await asyncio.gather(*(session(n) for n in range(start, start + 100)))
    await store.append(LONG, [created(LONG), *(vote(LONG, reason=talk(chance, 20)) for _ in range(EVENTS - 1))])


async def side_by_side(
    what: str, bare: Callable[[], object], ours: Callable[[], Awaitable[object]], rounds: int
) -> None:
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        begun = perf_counter()
        bare()
        between = perf_counter()
        await ours()
        taken[0].append(between - begun)
        taken[1].append(perf_counter() - between)
    by_hand, by_us = median(taken[0]), median(taken[1])
    print(f"{what}: {by_us * 1000:.2f} ms, bare SQLite {by_hand * 1000:.2f} ms, ratio {by_us / by_hand:.2f}")


async def measure(directory: Path) -> None:
    store = await SqliteStore.open(directory, Owner.this_process("bench"))
    await fill(store)
    connection = connect(directory / DATABASE)

    def bare_list(word: str = "") -> object:
        found = connection.execute(
            "SELECT summary FROM sessions WHERE deleted_at IS NULL AND (? = '' OR instr(words, ?)) "
            "ORDER BY updated_at DESC, number DESC LIMIT 50",
            (word, word),
        )
        return [SessionSummary.model_validate_json(summary) for (summary,) in found]

    def bare_search(words: str) -> Callable[[], object]:
        query = (
            "SELECT rowid, snippet(texts, 0, '', '', '…', 16) FROM texts WHERE texts MATCH ? "
            "ORDER BY rowid DESC LIMIT 50"
        )
        return lambda: connection.execute(query, (words,)).fetchall()

    def bare_open() -> object:
        found = connection.execute(
            "SELECT body FROM events WHERE place > (SELECT number << 32 FROM sessions WHERE session_id = ?)", (LONG,)
        )
        return [read_record(body) for (body,) in found]

    async def open_long() -> None:
        records: list[EventRecord] = []
        async for page in stream(store, LONG):
            records.extend(page.records)
        assert len(records) == EVENTS

    await side_by_side("list 50 of 10,000 sessions", bare_list, store.sessions, 50)
    await side_by_side("list 50 by a rare word", lambda: bare_list(RARE), lambda: store.sessions(query=RARE), 50)
    for words in (RARE, COMMON, f"{COMMON} {FREQUENT}", f"{FREQUENT} {COMMON[:3]}"):
        await side_by_side(f"search {words!r}", bare_search(words + "*"), lambda text=words: store.search(text), 30)
    await side_by_side("open 10,000 events", bare_open, open_long, 10)
    connection.close()
    await store.close()


def main() -> None:
    with TemporaryDirectory() as directory:
        print(f"SQLite {sqlite3.sqlite_version}, {SESSIONS:,} sessions of 13 events, one of {EVENTS:,}")
        asyncio.run(measure(Path(directory)))


if __name__ == "__main__":
    main()
