"""A writer made to be killed: it appends as fast as it can and says what was acknowledged, one line each.

Every line on its standard input starts one, as a fork of this process, so that hundreds start in no time.
"""

import asyncio
import os
import sys
from itertools import count
from pathlib import Path

from teamwright.protocol.ids import SessionId
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore
from tests.store.facts import created, said, updated, vote

SESSIONS = [SessionId(f"ses_{n}") for n in range(3)]


def acknowledge(line: str) -> None:
    # One write of a short line, so that a kill never leaves half of it.
    os.write(1, f"{line}\n".encode())


async def write_on(store: SqliteStore, session_id: SessionId, writer: str) -> None:
    for n in count():
        text = f"{writer} {n} " + "word " * (n % 50)
        appended = await store.append(
            session_id, [said(text, session_id), vote(session_id, reason=text), updated(session_id, title=text)]
        )
        acknowledge(f"{session_id} {appended[0].seq} {text}")


async def write_until_killed(directory: Path, life: int) -> None:
    store = await SqliteStore.open(directory, Owner.this_process("test"))
    known = {session.session_id for session in await store.sessions()}
    for session_id in SESSIONS:
        if session_id not in known:
            await store.append(session_id, [created(session_id)])
    await asyncio.gather(*(write_on(store, each, f"life{life}-{n}") for each in SESSIONS for n in range(3)))


def main(directory: Path) -> None:
    for life in count():
        if not sys.stdin.readline():
            return
        child = os.fork()
        if child == 0:
            asyncio.run(write_until_killed(directory, life))
        acknowledge(f"born {child}")
        os.waitpid(child, 0)
        acknowledge("dead")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
