"""A named pipe of every process that works on a workspace, so that nobody needs to poll for what others write.

A signal is a courtesy: sending one never waits for its receiver, and one that is lost costs nothing but time.
"""

import errno
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from teamwright.store.directories import make_private_directory

Hear = Callable[[bytes], None]

_SUFFIX = ".signal"

if sys.platform == "win32":
    from multiprocessing.connection import Client, Listener

    class _NamedPipe:
        """A named pipe; the file says only that there is one."""

        def __init__(self, path: Path) -> None:
            self._path = path
            self._listener = Listener(_pipe_of(path), family="AF_PIPE")
            path.touch()

        def lines(self) -> Iterator[bytes]:
            while True:
                try:
                    connection = self._listener.accept()
                except OSError:
                    return
                with connection, suppress(EOFError, OSError):
                    yield connection.recv_bytes().strip()

        def wake(self) -> None:
            _send(self._path, b"\n")

        def close(self) -> None:
            self._listener.close()

    def _send(path: Path, line: bytes) -> bool:
        """False when its receiver is gone."""
        try:
            with Client(_pipe_of(path), family="AF_PIPE") as connection:
                connection.send_bytes(line)
        except FileNotFoundError:
            return False
        except OSError:
            # Somebody is there and has no time.
            return True
        return True

    def _pipe_of(path: Path) -> str:
        return rf"\\.\pipe\teamwright-{path.stem}"

    _Pipe = _NamedPipe
else:

    class _Fifo:
        """A named pipe in the file system: it is not there for other machines, and it keeps nothing."""

        def __init__(self, path: Path) -> None:
            hidden = path.with_suffix(".new")
            os.mkfifo(hidden, 0o600)
            self._heard = os.open(hidden, os.O_RDONLY | os.O_NONBLOCK)
            # Open for writing as well, or it would seem to end whenever nobody sends.
            self._held = os.open(hidden, os.O_WRONLY | os.O_NONBLOCK)
            os.set_blocking(self._heard, True)
            # By its name only now that it is heard: a pipe that nobody reads is taken for one left behind.
            hidden.rename(path)

        def lines(self) -> Iterator[bytes]:
            with open(self._heard, "rb", closefd=False) as lines:
                yield from (line.strip() for line in lines)

        def wake(self) -> None:
            # Where it is full, there is enough to wake up from.
            with suppress(BlockingIOError):
                os.write(self._held, b"\n")

        def close(self) -> None:
            os.close(self._held)
            os.close(self._heard)

    def _send(path: Path, line: bytes) -> bool:
        """False when its receiver is gone."""
        try:
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as fault:
            return fault.errno not in {errno.ENXIO, errno.ENOENT}
        try:
            # Where it is full, there is enough to wake up from; where it is broken, they have just left.
            with suppress(BlockingIOError, BrokenPipeError):
                os.write(pipe, line + b"\n")
        finally:
            os.close(pipe)
        return True

    _Pipe = _Fifo


class WakeSignal:
    """`hear` is called in a thread of its own with each line that arrives, from the beginning to `close`."""

    def __init__(self, directory: Path, hear: Hear) -> None:
        """Raises OSError where the disk or the platform has no named pipes: then nobody can be woken."""
        make_private_directory(directory)
        self.path = directory / f"{token_hex(8)}{_SUFFIX}"
        self._pipe = _Pipe(self.path)
        self._hear = hear
        self._is_closed = False
        self._thread = threading.Thread(target=self._listen, name="teamwright-wake-signal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_closed = True
        self.path.unlink(missing_ok=True)
        self._pipe.wake()
        self._thread.join()
        self._pipe.close()

    def _listen(self) -> None:
        for line in self._pipe.lines():
            if self._is_closed:
                return
            if line:
                self._hear(line)


def send(directory: Path, lines: Sequence[bytes], *, but: Path | None = None) -> None:
    """To every process with a pipe in the directory but oneself. Pipes of processes that are gone are removed."""
    for pipe in tuple(directory.iterdir()):
        if pipe.suffix == _SUFFIX and pipe != but and not all(_send(pipe, line) for line in lines):
            pipe.unlink(missing_ok=True)
