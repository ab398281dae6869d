"""The port to durable events: what the runtime may ask of a store, whatever keeps it."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from teamwright.protocol.commands import SearchHit
from teamwright.protocol.decisions import Decision
from teamwright.protocol.ids import DecisionId, FindingId, RunId, SessionId, TurnId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import SessionSummary

PAGE = 1000


@dataclass(frozen=True, slots=True)
class Damaged:
    """A record that could not be read. It keeps its place in the log and costs only itself."""

    seq: int
    reason: str


class RunPlace(NamedTuple):
    """A run, and the session in which it first appeared: a copy of that session has it, too."""

    session_id: SessionId
    run_id: RunId


class Purged(NamedTuple):
    sessions: int
    # Those that no session knows any more.
    runs: tuple[RunId, ...]


@dataclass(frozen=True, slots=True)
class LogPage:
    """A stretch of a log, oldest first."""

    records: tuple[EventRecord, ...]
    damaged: tuple[Damaged, ...]
    # Whether the log goes on in the direction of reading.
    more: bool

    @property
    def last_seq(self) -> int | None:
        """Where to read on; None when nothing is there."""
        read = [record.seq for record in self.records[-1:] if record.seq is not None]
        return max((*read, *(each.seq for each in self.damaged[-1:])), default=None)


class EventStore(Protocol):
    """Every method may raise StoreError. What names a session that is unknown or deleted gets NotFound, and what
    writes to a session that another process writes to gets Conflict with its owner."""

    async def claim(self, session_id: SessionId) -> int:
        """Makes this process the session's writer until `release`, and tells its last seq: fold up to there first."""
        ...

    async def release(self, session_id: SessionId) -> None: ...

    async def append(self, session_id: SessionId, records: Sequence[EventRecord]) -> tuple[EventRecord, ...]:
        """Numbers the records and returns when they are on disk: all of them, or none.

        The first record of a session is its `session.created`. Claims the session if need be. Cancelling the caller
        does not take the records back: shield the call together with what must follow it.
        """
        ...

    async def last_seq(self, session_id: SessionId) -> int: ...

    async def read_after(
        self, session_id: SessionId, seq: int = 0, *, run_id: RunId | None = None, limit: int = PAGE
    ) -> LogPage:
        """The records that follow `seq`, also those that another process has just written."""
        ...

    async def read_before(self, session_id: SessionId, seq: int | None = None, *, limit: int = PAGE) -> LogPage:
        """The last records before `seq`, or of the whole log."""
        ...

    async def sessions(
        self,
        *,
        query: str | None = None,
        project: str | None = None,
        limit: int = 50,
        before: SessionId | datetime | None = None,
    ) -> tuple[SessionSummary, ...]:
        """Newest first, as the last `session.created` or `session.updated` of each describes it; never busy.

        `query` is looked for in titles, last messages and projects.
        """
        ...

    async def summary(self, session_id: SessionId) -> SessionSummary: ...

    async def search(self, text: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        """What users, assistants and presenters said, newest session first.

        Every word must be there; the last one may be the beginning of a word.
        """
        ...

    async def find_session(self, thing: RunId | TurnId | DecisionId | FindingId) -> SessionId:
        """The session in which the thing first appeared."""
        ...

    async def runs(
        self, *, session_id: SessionId | None = None, project: str | None = None, limit: int = 50
    ) -> tuple[RunPlace, ...]:
        """Of one session, of the sessions of a project, or of all; newest first."""
        ...

    async def open_decisions(self) -> tuple[Decision, ...]:
        """What waits for a person, in all sessions; no session is claimed for it."""
        ...

    async def sessions_with_open_work(self) -> tuple[SessionId, ...]:
        """Those in which a turn or a run has begun and not ended; no session is claimed for it."""
        ...

    async def delete(self, session_id: SessionId, at: datetime) -> None:
        """Out of sight, until `restore` or `purge`."""
        ...

    async def restore(self, session_id: SessionId) -> None: ...

    async def purge(self, deleted_before: datetime) -> Purged:
        """Removes for good what was deleted before, except what another process holds."""
        ...

    async def fork(self, source: SessionId, target: SessionId, at: datetime, *, at_seq: int | None = None) -> int:
        """Copies the log up to the last point, not after `at_seq`, where no turn was under way; tells the last seq.

        What still waits or runs there is closed as cancelled in the copy. The copy is claimed.
        """
        ...

    async def export_log(self, session_id: SessionId) -> tuple[str, ...]:
        """The records as JSON, as they were written, damaged ones too."""
        ...

    async def import_log(self, session_id: SessionId, exported: Sequence[str], at: datetime) -> int:
        """An exported log as a new session; tells the last seq.

        What still waits or runs in it is closed as cancelled. Otherwise exporting it again gives the same records,
        but for the session's id. Raises BadParams for what is not an exported log. The session is claimed.
        """
        ...

    async def close(self) -> None:
        """Finishes what was begun, gives every claim back, and lets go of the files."""
        ...


async def stream(
    store: EventStore, session_id: SessionId, *, after: int = 0, run_id: RunId | None = None, batch: int = PAGE
) -> AsyncIterator[LogPage]:
    """A log of any length in pages of bounded size."""
    while True:
        page = await store.read_after(session_id, after, run_id=run_id, limit=batch)
        if page.last_seq is None:
            return
        yield page
        if not page.more:
            return
        after = page.last_seq
