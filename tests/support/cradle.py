"""Servers that are up at once: each is forked from a process that has loaded everything, and is just as mortal.

For tests that start so many of them that the loading alone would take most of the time.
"""

import asyncio
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Self

from tests.support.lsp_client import STREAM_LIMIT, LspClient
from tests.support.patience import PATIENCE_SECONDS

# With what a server loads only when it is needed first.
_LOADED = ("teamwright.lsp.serve", "teamwright.lsp.client_connection", "openai")
_PAGE = 4096


class Cradle:
    """A context manager. The process ends with its standard input, and so with the tests."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.support.cradle", str(self._path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.communicate()

    async def spawn(self, *, env: Mapping[str, str], cwd: str) -> LspClient:
        # Pipes, as an editor has them: a socket forgets what was sent when the other end is killed.
        its_input, our_output = os.pipe()
        our_input, its_output = os.pipe()
        pid = await asyncio.to_thread(self._fork, {"env": dict(env), "cwd": cwd}, its_input, its_output)
        os.close(its_input)
        os.close(its_output)
        return LspClient(_Forked(pid, await _writer(our_output), await _reader(our_input)))

    def _fork(self, wanted: Mapping[str, object], *descriptors: int) -> int:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self._path))
            socket.send_fds(connection, [json.dumps(wanted).encode()], descriptors)
            return int(connection.recv(_PAGE))


async def _reader(descriptor: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(STREAM_LIMIT)
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(descriptor, "rb", buffering=0))
    return reader


async def _writer(descriptor: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    pipe = os.fdopen(descriptor, "wb", buffering=0)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, pipe)
    return asyncio.StreamWriter(transport, protocol, None, loop)


class _Forked:
    """Another process' child, as `asyncio.subprocess.Process` would show it."""

    def __init__(self, pid: int, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader) -> None:
        self.pid = pid
        self.stdin: asyncio.StreamWriter | None = stdin
        self.stdout: asyncio.StreamReader | None = stdout
        self.returncode: int | None = None
        self._descriptor = os.pidfd_open(pid)

    def kill(self) -> None:
        signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    async def wait(self) -> int:
        """Until all that it held is free."""
        if self.returncode is None:
            loop, ended = asyncio.get_running_loop(), asyncio.Event()
            loop.add_reader(self._descriptor, ended.set)
            async with asyncio.timeout(PATIENCE_SECONDS):
                await ended.wait()
            loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            if self.stdin is not None:
                self.stdin.close()
            # How it ended is known to its parent alone.
            self.returncode = 0
        return self.returncode


def main(path: str) -> None:
    for name in _LOADED:
        import_module(name)
    # Nobody waits for the children.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener, selectors.DefaultSelector() as selector:
        listener.bind(path)
        listener.listen()
        selector.register(listener, selectors.EVENT_READ)
        selector.register(sys.stdin, selectors.EVENT_READ)
        os.write(1, b"ready\n")
        while all(key.fileobj is listener for key, _ in selector.select()):
            client, _ = listener.accept()
            if os.fork() == 0:
                selector.close()
                listener.close()
                _live(client)
            client.close()


def _live(client: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message, descriptors, _, _ = socket.recv_fds(client, _PAGE, 2)
    wanted = json.loads(message)
    os.environ.update(wanted["env"])
    os.chdir(wanted["cwd"])
    for place, descriptor in enumerate(descriptors):
        os.dup2(descriptor, place)
        os.close(descriptor)
    client.sendall(b"%d" % os.getpid())
    client.close()
    os._exit(import_module("teamwright.lsp.serve").serve())


if __name__ == "__main__":
    main(sys.argv[1])
