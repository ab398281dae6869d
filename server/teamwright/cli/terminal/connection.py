"""What this process is connected to: a terminal that can redraw, one that cannot, or pipes."""

import logging
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from teamwright.cli.terminal.blocks import Line
from teamwright.cli.terminal.plain_io import PlainIO
from teamwright.cli.terminal.terminal_io import KeyListener, TerminalIO
from teamwright.cli.terminal.writer_thread import WriterThread
from teamwright.protocol.errors import UserError

_NARROWEST: Final = 20
_CANNOT_REDRAW: Final = frozenset({"dumb", "unknown"})


@contextmanager
def connected(
    screen: TextIO | None,
    elsewhere: TextIO | None,
    listener: KeyListener,
    writer: WriterThread,
    *,
    commands: Mapping[str, str] | None = None,
    history: Path | None = None,
) -> Generator[TerminalIO]:
    """Use it on the event loop. The terminal `screen` is left as it was found; without one, words go `elsewhere`.

    `commands`, with what they mean, are completed in the messages that a person may send at any time.
    """
    if screen is None or not _can_redraw(screen):
        yield PlainIO(elsewhere if screen is None else screen, writer)
        return
    # Here and not above: these libraries are needed on a terminal only.
    from teamwright.cli.terminal.screen import Screen  # noqa: PLC0415

    drawn = Screen(screen, listener, reads=someone_can_type(), commands=commands or {}, history=history)
    try:
        yield drawn
    finally:
        drawn.close()


class _LogHandler(logging.Handler):
    def __init__(self, io: TerminalIO) -> None:
        super().__init__(logging.WARNING)
        self._io = io

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        # What is meant for users says enough by itself; of a bug they should have everything to report.
        told = f"{record.getMessage()}: {fault.message}" if isinstance(fault, UserError) else self.format(record)
        self._io.show(Line(told, "faint"))


@contextmanager
def logged_to(io: TerminalIO) -> Generator[None]:
    """The log of this process among the words for its user, so that it never runs into what is being drawn."""
    handler, root = _LogHandler(io), logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)


def someone_can_type() -> bool:
    """Whether stdin is a terminal, and ours to read: a job in the background would be stopped for trying."""
    stdin = sys.stdin
    if stdin is None or not stdin.isatty():
        return False
    return os.name == "nt" or os.tcgetpgrp(stdin.fileno()) == os.getpgrp()


def _can_redraw(screen: TextIO) -> bool:
    if os.environ.get("TERM", "").lower() in _CANNOT_REDRAW:
        return False
    try:
        return os.get_terminal_size(screen.fileno()).columns >= _NARROWEST
    except OSError:
        return False
