"""Other programs, run to a bounded end: no shell, no terminal, a deadline, and their children end with them."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process

from teamwright.protocol.errors import LimitReached, NotFound

_MOST_ERROR_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class Output:
    status: int
    stdout: bytes
    stderr: str
    truncated: bool


async def run_program(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    seconds: float,
    most_bytes: int,
    stdin: bytes = b"",
) -> Output:
    """Raises NotFound when there is no such program, LimitReached when it takes too long."""
    try:
        process = await anyio.open_process(
            list(argv),
            cwd=cwd,
            env=env,
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except FileNotFoundError:
        raise NotFound(f"`{argv[0]}` was not found; install it, or put it on the PATH.") from None
    try:
        with anyio.fail_after(seconds):
            return await _finish(process, stdin, most_bytes)
    except TimeoutError:
        raise LimitReached(f"`{argv[0]}` took longer than {seconds:g} seconds.", int(seconds)) from None
    finally:
        _kill_group(process)
        with anyio.CancelScope(shield=True):
            await process.aclose()


async def _finish(process: Process, stdin: bytes, most_bytes: int) -> Output:
    stdout, stderr = bytearray(), bytearray()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_send, process.stdin, stdin)
        tasks.start_soon(_receive, process.stderr, stderr, _MOST_ERROR_BYTES)
        await _receive(process.stdout, stdout, most_bytes)
        if len(stdout) > most_bytes:
            # It would wait for ever for us to read the rest.
            _kill_group(process)
    status = await process.wait()
    return Output(status, bytes(stdout[:most_bytes]), stderr.decode("utf-8", "replace"), len(stdout) > most_bytes)


async def _send(stream: ByteSendStream | None, data: bytes) -> None:
    if stream is not None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await stream.send(data)
        await stream.aclose()


async def _receive(stream: ByteReceiveStream | None, into: bytearray, most_bytes: int) -> None:
    """One byte past the limit at least, so that the caller can tell."""
    if stream is not None:
        async for chunk in stream:
            into += chunk
            if len(into) > most_bytes:
                return


def _kill_group(process: Process) -> None:
    """Windows has no groups of this kind; there the program alone is ended."""
    with suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
