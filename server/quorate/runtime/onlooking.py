"""What clients draw of a session that another process works on: computed here, because only facts cross over."""

from quorate.engine.view import view
from quorate.protocol.events import FindingsUpdated, RunUpdated
from quorate.protocol.ids import RunId
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Bus
from quorate.runtime.identity import now
from quorate.runtime.reviews.findings_feed import changes_findings
from quorate.runtime.runs.view_feed import INTERVAL_SECONDS
from quorate.runtime.session_state import SessionState
from quorate.runtime.throttle import Throttle


class Onlooking:
    def __init__(self, state: SessionState, bus: Bus) -> None:
        self._state = state
        self._bus = bus
        # By the last record of each run that has changed since it was drawn.
        self._changed: dict[RunId, EventRecord] = {}
        self._throttle = Throttle(INTERVAL_SECONDS, self._draw)

    def see(self, record: EventRecord) -> None:
        """Behind the record itself: clients hear of a fact first, and then see it drawn."""
        if record.seq is None or record.seq > self._state.last_seq:
            self._state.fold(record)
        if record.run_id is not None and record.run_id in self._state.runs:
            self._changed[record.run_id] = record
            self._throttle.nudge()
        if changes_findings(record.event):
            self.show_findings()

    def end(self) -> None:
        """With a last word, so that no older one comes behind those of whoever goes on."""
        self._throttle.settle()

    def show_findings(self) -> None:
        if findings := self._state.findings():
            drawn = FindingsUpdated(findings=findings)
            self._bus.relay(EventRecord(seq=None, at=now(), session_id=self._state.session_id, event=drawn))

    def _draw(self) -> None:
        for run_id, record in self._changed.items():
            drawn = RunUpdated(run=view(self._state.runs[run_id]))
            # It belongs to what the record belongs to, but for the agent.
            self._bus.relay(record.model_copy(update={"seq": None, "at": now(), "agent_id": None, "event": drawn}))
        self._changed.clear()
