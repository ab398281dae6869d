"""The transcripts that a client has open, kept current by patches.

A burst of facts is one patch, and there are at most twenty a second; text that streams is appended every 30 ms.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from teamwright.engine.transcript.follower import TranscriptFollower
from teamwright.protocol.events import ItemDelta, SessionResync, TranscriptPatched
from teamwright.protocol.ids import EntryId, RunId, SessionId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.transcript import AnyPatchOp, Transcript
from teamwright.runtime.bus import Listener, is_told_to_all
from teamwright.runtime.identity import now

if TYPE_CHECKING:
    from teamwright.engine.transcript.fold import TranscriptFold
    from teamwright.engine.transcript.run import RunTranscript

# Nineteen a second, so that one that could not wait is the twentieth.
PATCH_SECONDS: Final = 1 / 19
TEXT_SECONDS: Final = 0.030
# Of runs that were opened, those looked at last stay current.
MAX_RUNS: Final = 16

TranscriptOf = Callable[[SessionId], "TranscriptFold | None"]


@dataclass(slots=True, eq=False)
class _Followed:
    session_id: SessionId
    run_id: RunId | None
    transcript: "TranscriptFold"
    follower: TranscriptFollower = field(init=False)

    def __post_init__(self) -> None:
        self.follower = TranscriptFollower(self.transcript.entries)


class ClientTranscripts:
    def __init__(self, send: Listener, is_held: Callable[[SessionId], bool], transcript_of: TranscriptOf) -> None:
        """`is_held`: whether the client is to hear nothing of a session for now: a command is being answered."""
        self._send = send
        self._is_held = is_held
        self._transcript_of = transcript_of
        self._sessions: dict[SessionId, _Followed] = {}
        # Of those that were put away since the client was told of them: up to where it was told.
        self._put_away: dict[SessionId, int] = {}
        self._runs: dict[RunId, _Followed] = {}
        self._changed: dict[_Followed, None] = {}
        self._grown: dict[_Followed, None] = {}
        self._patching: asyncio.Handle | None = None
        self._appending: asyncio.Handle | None = None

    def __call__(self, record: EventRecord) -> None:
        if record.session_id is None or isinstance(record.event, TranscriptPatched | SessionResync):
            return
        # Of what every client is told, nobody need have opened the session.
        if record.session_id in self._sessions or not is_told_to_all(record):
            session = self._session(record.session_id)
            if session is not None:
                self._take(session, record)
        for run in tuple(self._runs.values()):
            if run.session_id == record.session_id:
                run.transcript.fold(record)
                self._take(run, record)

    def opened(self, session_id: SessionId, transcript: "TranscriptFold", before: EntryId | None = None) -> Transcript:
        """The latest entries, or those before one that there is; patches go on exactly behind them."""
        followed = self._sessions.get(session_id)
        if followed is None or followed.transcript is not transcript:
            followed = self._follow(session_id, transcript)
        if before is not None:
            return followed.follower.earlier(before)
        self._forget(followed)
        return followed.follower.opened()

    def opened_run(self, session_id: SessionId, run_id: RunId, transcript: "RunTranscript") -> Transcript:
        """From now on what happens in the session is folded into it."""
        before = self._runs.pop(run_id, None)
        followed = self._runs[run_id] = _Followed(session_id, run_id, transcript)
        if before is not None:
            followed.follower.rev = before.follower.rev
            self._forget(before)
        while len(self._runs) > MAX_RUNS:
            self._forget(self._runs.pop(next(iter(self._runs))))
        return followed.follower.opened()

    def closed(self, session_id: SessionId) -> None:
        self._put_away.pop(session_id, None)
        gone = [self._sessions.pop(session_id, None)]
        gone += [self._runs.pop(run_id) for run_id, run in tuple(self._runs.items()) if run.session_id == session_id]
        for followed in gone:
            if followed is not None:
                self._forget(followed)

    def put_away(self, session_id: SessionId) -> None:
        """The session is out of memory, and so is what is drawn of it; it is drawn anew when the session is back."""
        followed = self._sessions.pop(session_id, None)
        if followed is None:
            return
        if ops := followed.follower.patch():
            self._tell(followed, ops)
        self._put_away[session_id] = followed.follower.rev
        self._forget(followed)

    def _session(self, session_id: SessionId) -> _Followed | None:
        transcript = self._transcript_of(session_id)
        if transcript is None:
            return None
        followed = self._sessions.get(session_id)
        if followed is None and session_id not in self._put_away:
            return self._follow(session_id, transcript)
        if followed is None or followed.transcript is not transcript:
            # Another process wrote it, and now we do, or the other way round; or it was put away meanwhile.
            resync = SessionResync(last_seq=0)
            self._send(EventRecord(seq=None, at=now(), session_id=session_id, event=resync))
            return self._follow(session_id, transcript)
        return followed

    def _follow(self, session_id: SessionId, transcript: "TranscriptFold") -> _Followed:
        before = self._sessions.get(session_id)
        followed = self._sessions[session_id] = _Followed(session_id, None, transcript)
        followed.follower.rev = self._put_away.pop(session_id, followed.follower.rev)
        if before is not None:
            followed.follower.rev = before.follower.rev
            self._forget(before)
        return followed

    def _take(self, followed: _Followed, record: EventRecord) -> None:
        if isinstance(record.event, ItemDelta):
            self._grown[followed] = None
            if self._appending is None:
                self._append()
        elif followed.follower.has_changes:
            self._changed[followed] = None
            if self._patching is None:
                self._patching = asyncio.get_running_loop().call_soon(self._patch)

    def _patch(self) -> None:
        """One transcript at a time, each in its turn."""
        self._patching = None
        for followed in tuple(self._changed):
            if self._is_held(followed.session_id):
                continue
            del self._changed[followed]
            if ops := followed.follower.patch():
                self._tell(followed, ops)
                break
        else:
            if not self._changed:
                return
        self._patching = asyncio.get_running_loop().call_later(PATCH_SECONDS, self._patch)

    def _append(self) -> None:
        self._appending = None
        for followed in tuple(self._grown):
            if self._is_held(followed.session_id):
                continue
            del self._grown[followed]
            if ops := followed.follower.appended():
                self._tell(followed, ops)
                self._appending = asyncio.get_running_loop().call_later(TEXT_SECONDS, self._append)
        if self._grown and self._appending is None:
            self._appending = asyncio.get_running_loop().call_later(TEXT_SECONDS, self._append)

    def _tell(self, followed: _Followed, ops: tuple[AnyPatchOp, ...]) -> None:
        followed.follower.rev += 1
        event = TranscriptPatched(rev=followed.follower.rev, patch=ops)
        said = EventRecord(seq=None, at=now(), session_id=followed.session_id, run_id=followed.run_id, event=event)
        self._send(said)

    def _forget(self, followed: _Followed) -> None:
        """Nothing is owed to it any more."""
        self._changed.pop(followed, None)
        self._grown.pop(followed, None)
