"""A process killed at any point loses nothing that it acknowledged."""

import asyncio
import os
import random
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from teamwright.protocol.events import ItemFinished
from teamwright.protocol.items import AssistantMessage
from teamwright.store.port import stream
from teamwright.store.sqlite import DATABASE, SqliteStore
from tests.store.conftest import OpenStore
from tests.store.crashing_writer import SESSIONS
from tests.support.patience import PATIENCE_SECONDS

# What was said at which place, by the word of the writer.
Acknowledged = dict[tuple[str, int], str]


async def killed_after(writer: asyncio.subprocess.Process, acknowledgements: int) -> Acknowledged:
    """One life: it starts, is killed when so much was acknowledged, and everything it managed to say is heard."""
    assert writer.stdin is not None
    assert writer.stdout is not None
    writer.stdin.write(b"\n")
    acknowledged: Acknowledged = {}
    pid: int | None = None
    while (line := (await asyncio.wait_for(writer.stdout.readline(), PATIENCE_SECONDS)).decode().strip()) != "dead":
        first, number, *text = line.split(" ", 2)
        if first == "born":
            pid = int(number)
        else:
            acknowledged[first, int(number)] = text[0]
        if pid is not None and len(acknowledged) >= acknowledgements:
            os.kill(pid, signal.SIGKILL)
            acknowledgements = sys.maxsize
    return acknowledged


async def said_in(store: SqliteStore) -> Acknowledged:
    said: Acknowledged = {}
    for session in await store.sessions():
        seqs: list[int | None] = []
        async for page in stream(store, session.session_id):
            assert page.damaged == ()
            for record in page.records:
                seqs.append(record.seq)
                if isinstance(record.event, ItemFinished) and isinstance(record.event.item, AssistantMessage):
                    said[session.session_id, record.seq or 0] = record.event.item.text.strip()
        assert seqs == list(range(1, len(seqs) + 1))
        # Three records at a time or none: the creation aside, the log is made of whole appends.
        assert (len(seqs) - 1) % 3 == 0
    return said


async def check_kills(open_store: OpenStore, directory: Path, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    writer = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.store.crashing_writer", str(directory)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    acknowledged: Acknowledged = {}
    for _ in range(kills):
        acknowledged |= await killed_after(writer, chance.randrange(40))
        store = await open_store()
        said = await said_in(store)
        assert {place: said.get(place) for place in acknowledged} == acknowledged
        for session in await store.sessions():
            await store.claim(session.session_id)
        await store.close()
    assert writer.stdin is not None
    writer.stdin.close()
    assert await asyncio.wait_for(writer.wait(), PATIENCE_SECONDS) == 0
    assert {session for session, _ in acknowledged} == set(SESSIONS)
    with closing(sqlite3.connect(directory / DATABASE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.execute("INSERT INTO texts (texts) VALUES ('integrity-check')")


@pytest.mark.asyncio
async def test_fifteen_kills_lose_nothing_that_was_acknowledged(open_store: OpenStore, directory: Path) -> None:
    await check_kills(open_store, directory, kills=15, seed=1)


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("seed", range(10))
async def test_hundreds_of_kills_lose_nothing_that_was_acknowledged(
    open_store: OpenStore, directory: Path, seed: int
) -> None:
    await check_kills(open_store, directory, kills=40, seed=seed)
