"""A program in front of a terminal, whose screen is read as a person would read it. Every wait has a deadline."""

import fcntl
import os
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

import pyte

from tests.support.patience import PATIENCE_SECONDS

_ROWS = 40
_KEPT_ROWS = 2000

# The terminal becomes the one that signals come from, as in a window of its own.
_AS_SESSION_LEADER = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


class PseudoTerminal:
    def __init__(
        self, command: Sequence[str], *, env: Mapping[str, str], cwd: Path, columns: int, stdout: Path | None
    ) -> None:
        self.raw = b""
        self._seen_when_typing = ""
        self._screen = pyte.HistoryScreen(columns, _ROWS, history=_KEPT_ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._news = threading.Condition()
        self._ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, columns, 0, 0))
        self._stdout: IO[bytes] | None = stdout.open("wb") if stdout else None
        self._process = subprocess.Popen(
            [sys.executable, "-c", _AS_SESSION_LEADER, *command],
            env=dict(env),
            cwd=cwd,
            stdin=theirs,
            stdout=self._stdout or theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def lines(self) -> list[str]:
        """All that was ever shown and not erased, from the first line on."""
        with self._news:
            return self._lines()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def cursor_is_hidden(self) -> bool:
        return bool(self._screen.cursor.hidden)

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self._ours)[3] & termios.ECHO)

    def shows(self, *texts: str) -> None:
        """Returns as soon as all of this is to be seen."""
        self._wait(lambda: all(text in "\n".join(self._lines()) for text in texts), f"to show {texts}")

    def shows_again(self, text: str) -> None:
        """Returns as soon as there is more of this than when something was last typed."""
        before = self._seen_when_typing.count(text)
        self._wait(lambda: "\n".join(self._lines()).count(text) > before, f"to show {text!r} again")

    def waits_for(self, is_so: Callable[[list[str]], bool], what: str) -> None:
        """Returns as soon as the lines on it are so."""
        self._wait(lambda: is_so(self._lines()), what)

    def types(self, text: str) -> None:
        """A line, with Enter."""
        self._seen_when_typing = self.text
        self.presses(text.encode() + b"\r")

    def presses(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def interrupt(self) -> None:
        self.presses(b"\x03")

    def ended(self) -> int:
        try:
            code = self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the program did not end; its terminal shows:\n{self.text}") from None
        self._reader.join(PATIENCE_SECONDS)
        return code

    def terminate(self) -> None:
        self._process.terminate()

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        os.close(self._ours)
        if self._stdout is not None:
            self._stdout.close()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._ours, 65536)
            except OSError:
                # Linux says so when the other end is closed.
                return
            if not data:
                return
            with self._news:
                self.raw += data
                self._stream.feed(data)
                self._news.notify_all()

    def _wait(self, is_so: Callable[[], bool], what: str) -> None:
        with self._news:
            if not self._news.wait_for(is_so, PATIENCE_SECONDS):
                shown = "\n".join(self._lines())
                raise AssertionError(f"waited in vain for the terminal {what}; it shows:\n{shown}")

    def _lines(self) -> list[str]:
        columns = range(self._screen.columns)
        gone = ["".join(row[column].data for column in columns) for row in self._screen.history.top]
        return [line.rstrip() for line in (*gone, *self._screen.display)]
