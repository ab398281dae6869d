"""The log of this process among the words for its user, so that it never runs into what is being drawn."""

import logging
from collections.abc import Generator
from contextlib import contextmanager

from quorate.cli.terminal.talk import Line, Talk
from quorate.protocol.errors import UserError


class _TalkHandler(logging.Handler):
    def __init__(self, talk: Talk) -> None:
        super().__init__(logging.WARNING)
        self._talk = talk

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        # What is meant for users says enough by itself; of a bug they should have everything to report.
        told = f"{record.getMessage()}: {fault.message}" if isinstance(fault, UserError) else self.format(record)
        self._talk.tell(Line(told, "faint"))


@contextmanager
def logged_by(talk: Talk) -> Generator[None]:
    handler, root = _TalkHandler(talk), logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
