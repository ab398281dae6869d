"""The log of this process among the words for its user, so that it never runs into what is being drawn."""

import logging
from collections.abc import Generator
from contextlib import contextmanager

from quorate.cli.terminal.talk import Line, Talk


class _TalkHandler(logging.Handler):
    def __init__(self, talk: Talk) -> None:
        super().__init__(logging.WARNING)
        self._talk = talk

    def emit(self, record: logging.LogRecord) -> None:
        self._talk.tell(Line(self.format(record), "faint"))


@contextmanager
def logged_by(talk: Talk) -> Generator[None]:
    handler, root = _TalkHandler(talk), logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
