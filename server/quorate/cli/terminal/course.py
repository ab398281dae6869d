"""What was heard of a run that matters at its end."""

from datetime import datetime

import anyio

from quorate.cli.terminal.ending import Ending
from quorate.protocol.changes import SettledFile
from quorate.protocol.events import ChangesSettled, NoticeRaised, RunFinished, RunStarted, RunUpdated
from quorate.protocol.ids import RunId
from quorate.protocol.records import EventRecord


class Course:
    """`ended` is set with the run's last event, `drawn` with the last view of it.

    A run that cannot be recorded any more ends without a last event: then there is no `ending`.
    """

    def __init__(self) -> None:
        self.run_id: RunId | None = None
        self.ending: Ending | None = None
        self.ended = anyio.Event()
        self.drawn = anyio.Event()
        self._began_at: datetime | None = None
        self._settled: tuple[SettledFile, ...] = ()
        self._execution: RunFinished | None = None

    def take(self, record: EventRecord) -> None:
        # The first run is the one that was asked for; a later one carries out its plan.
        self.run_id = self.run_id or record.run_id
        match record.event:
            case RunStarted():
                self._began_at = self._began_at or record.at
            case RunUpdated(run=view) if view.run_id == self.run_id and view.phase == "finished":
                self.drawn.set()
            case ChangesSettled(settled=settled):
                self._settled += settled
            case NoticeRaised(level="error") if record.run_id is not None and record.run_id == self.run_id:
                self.ended.set()
            case RunFinished() as finished if record.run_id is not None and record.run_id == self.run_id:
                began_at = self._began_at or record.at
                self.ending = Ending(record.run_id, finished, self._execution, self._settled, began_at, record.at)
                self.ended.set()
            case RunFinished() as finished:
                self._execution = finished
            case _:
                pass
