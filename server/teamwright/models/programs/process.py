"""A child process and all that it starts: begun without a shell, ended as a group, on every platform."""

import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

import anyio
from anyio.abc import Process

GRACE_SECONDS: Final = 2.0


@asynccontextmanager
async def running(
    argv: Sequence[str], *, env: Mapping[str, str], cwd: Path, stdin: IO[bytes] | int, stderr: IO[bytes] | int
) -> AsyncGenerator[Process]:
    process = await anyio.open_process(
        list(argv), stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, cwd=cwd, env=env, **_group()
    )
    try:
        yield process
    finally:
        with anyio.CancelScope(shield=True):
            if process.returncode is None:
                await _end(process)
            await process.aclose()


def _group() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


async def _end(process: Process) -> None:
    if sys.platform == "win32":
        await _end_tree(process)
        return
    _signal_group(process.pid, signal.SIGTERM)
    with anyio.move_on_after(GRACE_SECONDS):
        await process.wait()
    # Whatever ignored the request, and whatever the program left behind.
    _signal_group(process.pid, signal.SIGKILL)


if sys.platform == "win32":

    async def _end_tree(process: Process) -> None:
        """Windows knows no groups that can be ended: the system's own tool walks the tree."""
        tool = Path(os.environ["SYSTEMROOT"], "System32", "taskkill.exe")
        with anyio.move_on_after(GRACE_SECONDS):
            await anyio.run_process([str(tool), "/F", "/T", "/PID", str(process.pid)], check=False)
        with suppress(ProcessLookupError):
            process.kill()

else:

    def _signal_group(group: int, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
