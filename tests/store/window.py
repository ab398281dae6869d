"""Another editor's window on the same workspace: a process of its own, told line by line what to do."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from teamwright.protocol.errors import UserError
from teamwright.protocol.ids import SessionId
from teamwright.store.locks import Owner
from teamwright.store.sqlite import SqliteStore
from tests.store.facts import created, vote
from tests.support.patience import PATIENCE_SECONDS


class Window:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def open(cls, directory: Path, editor: str) -> "Window":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "tests.store.window", str(directory), editor),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        return cls(process)

    async def do(self, what: str, session_id: SessionId) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{what} {session_id}\n".encode())
        return json.loads(await asyncio.wait_for(self.process.stdout.readline(), PATIENCE_SECONDS))

    async def kill(self) -> None:
        """As the kernel does it when memory runs out: without a last word."""
        self.process.kill()
        await asyncio.wait_for(self.process.communicate(), PATIENCE_SECONDS)


async def _do(store: SqliteStore, what: str, session_id: SessionId) -> Any:
    try:
        match what:
            case "create":
                return [record.seq for record in await store.append(session_id, [created(session_id)])]
            case "append":
                return [record.seq for record in await store.append(session_id, [vote(session_id)])]
            case "claim":
                return await store.claim(session_id)
            case "release":
                return await store.release(session_id)
            case "read":
                return [record.seq for record in (await store.read_after(session_id)).records]
            case _:
                raise ValueError(what)
    except UserError as error:
        return {"status": error.status, "message": error.message, "data": error.data}


async def _main(directory: Path, editor: str) -> None:
    store = await SqliteStore.open(directory, Owner.this_process(editor))
    while line := await asyncio.to_thread(sys.stdin.readline):
        what, session_id = line.split()
        print(json.dumps(await _do(store, what, SessionId(session_id))), flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), sys.argv[2]))
