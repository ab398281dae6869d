"""A run as lines that are appended, wherever nothing can be redrawn."""

from quorate.cli.terminal.findings_report import FindingsReport
from quorate.cli.terminal.talk import Line, Talk
from quorate.cli.terminal.telling import told
from quorate.protocol.records import EventRecord


class PlainView:
    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._findings = FindingsReport(with_votes=False)
        self._is_held = False
        self._kept: list[Line] = []

    def take(self, record: EventRecord) -> None:
        self._kept += (*told(record), *self._findings.take(record))
        self._flush()

    def hold(self) -> None:
        self._is_held = True

    def resume(self) -> None:
        self._is_held = False
        self._flush()

    def close(self) -> None:
        self.resume()

    def _flush(self) -> None:
        if self._kept and not self._is_held:
            self._talk.tell(*self._kept)
            self._kept = []
