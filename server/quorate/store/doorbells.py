"""A bell at the door of every process that works on a workspace, so that nobody needs to look again and again.

Ringing is a courtesy: it never waits for the one who is rung, and a ring that is lost costs nothing but time.
"""

import errno
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from quorate.store.private_files import make_private_directory

Hear = Callable[[bytes], None]

_SUFFIX = ".bell"

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
                    ringing = self._listener.accept()
                except OSError:
                    return
                with ringing, suppress(EOFError, OSError):
                    yield ringing.recv_bytes().strip()

        def wake(self) -> None:
            _ring(self._path, b"\n")

        def close(self) -> None:
            self._listener.close()

    def _ring(path: Path, line: bytes) -> bool:
        """False when nobody is at home any more."""
        try:
            with Client(_pipe_of(path), family="AF_PIPE") as ringing:
                ringing.send_bytes(line)
        except FileNotFoundError:
            return False
        except OSError:
            # Somebody is there and has no time.
            return True
        return True

    def _pipe_of(path: Path) -> str:
        return rf"\\.\pipe\quorate-{path.stem}"

    _Wire = _NamedPipe
else:

    class _Fifo:
        """A named pipe in the file system: it is not there for other machines, and it keeps nothing."""

        def __init__(self, path: Path) -> None:
            hidden = path.with_suffix(".new")
            os.mkfifo(hidden, 0o600)
            self._heard = os.open(hidden, os.O_RDONLY | os.O_NONBLOCK)
            # Open for writing as well, or it would seem to end whenever nobody rings.
            self._held = os.open(hidden, os.O_WRONLY | os.O_NONBLOCK)
            os.set_blocking(self._heard, True)
            # By its name only now that it is heard: a bell that nobody hears is taken for one left behind.
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

    def _ring(path: Path, line: bytes) -> bool:
        """False when nobody is at home any more."""
        try:
            door = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as fault:
            return fault.errno not in {errno.ENXIO, errno.ENOENT}
        try:
            # Where it is full, it has been rung often enough; where it is broken, they have just left.
            with suppress(BlockingIOError, BrokenPipeError):
                os.write(door, line + b"\n")
        finally:
            os.close(door)
        return True

    _Wire = _Fifo


class Doorbell:
    """`hear` is called in a thread of the bell's own, from the beginning to `take_down`."""

    def __init__(self, directory: Path, hear: Hear) -> None:
        """Raises OSError where the disk or the platform has no bells: then nobody can ring here."""
        make_private_directory(directory)
        self.path = directory / f"{token_hex(8)}{_SUFFIX}"
        self._wire = _Wire(self.path)
        self._hear = hear
        self._is_down = False
        self._thread = threading.Thread(target=self._listen, name="quorate-doorbell", daemon=True)
        self._thread.start()

    def take_down(self) -> None:
        self._is_down = True
        self.path.unlink(missing_ok=True)
        self._wire.wake()
        self._thread.join()
        self._wire.close()

    def _listen(self) -> None:
        for line in self._wire.lines():
            if self._is_down:
                return
            if line:
                self._hear(line)


def ring(directory: Path, lines: Sequence[bytes], *, but: Path | None = None) -> None:
    """Every bell of the directory but one's own. Those of processes that are gone are removed."""
    for door in tuple(directory.iterdir()):
        if door.suffix == _SUFFIX and door != but and not all(_ring(door, line) for line in lines):
            door.unlink(missing_ok=True)
