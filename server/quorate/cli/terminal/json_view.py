"""A run as its events, each a line of JSON exactly as on the wire."""

from quorate.cli import output
from quorate.cli.terminal.scribe import Scribe
from quorate.protocol.records import EventRecord


class JsonView:
    def __init__(self, scribe: Scribe) -> None:
        self._scribe = scribe

    def take(self, record: EventRecord) -> None:
        self._scribe.post(lambda: output.say(record.to_json()))

    def hold(self) -> None:
        """Questions go to stderr, so nothing is in their way."""

    def resume(self) -> None:
        pass

    def close(self) -> None:
        pass
