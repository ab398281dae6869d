"""A transcript folded from records alone, as a server does it: runs by their own engine, entries beside them."""

from collections.abc import Iterable

from teamwright.engine.run.reduce import reduce
from teamwright.engine.run.state import Run
from teamwright.engine.transcript.fold import Sources
from teamwright.engine.transcript.follower import TranscriptFollower
from teamwright.engine.transcript.session import SessionTranscript
from teamwright.protocol.ids import RunId
from teamwright.protocol.records import EventRecord
from tests.support.drawn import Json


class FoldedSession:
    def __init__(self, records: Iterable[EventRecord] = ()) -> None:
        self.runs: dict[RunId, Run] = {}
        self.transcript = SessionTranscript(Sources(_path_of, self.runs.get))
        for record in records:
            self.fold(record)

    def fold(self, record: EventRecord) -> None:
        # Before its run: what an entry shows is looked at when it is drawn.
        self.transcript.fold(record)
        if record.run_id is not None:
            for known in {record.run_id, *self.runs}:
                run = reduce(self.runs.get(known), record)
                if run is not None:
                    self.runs[known] = run

    def follower(self) -> TranscriptFollower:
        return TranscriptFollower(self.transcript.entries)

    def entries(self) -> list[Json]:
        return [entry.to_wire() for entry in self.transcript.entries.before(None, 10_000)[0]]


def _path_of(uri: str) -> str:
    return uri.removeprefix("file:///")
