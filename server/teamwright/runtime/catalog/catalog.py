"""What can be done with a session without talking in it; most of it needs the store alone."""

from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from datetime import datetime

import anyio
from anyio import to_thread

from teamwright.engine.session.view import stats
from teamwright.protocol.commands import (
    SessionExportParams,
    SessionExportResult,
    SessionForkParams,
    SessionImportParams,
    SessionListParams,
    SessionListResult,
    SessionRef,
    SessionRenameParams,
    SessionSearchParams,
    SessionSearchResult,
    SessionStats,
)
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.events import (
    SessionCreated,
    SessionUpdated,
)
from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import SessionSummary, SessionView
from teamwright.runtime.bus import Bus
from teamwright.runtime.catalog.exporting import MarkdownExport, exported, log_in
from teamwright.runtime.catalog.key_scan import warnings_about, without_keys
from teamwright.runtime.catalog.past_runs import PastRuns
from teamwright.runtime.identity import fresh_id, now
from teamwright.runtime.sessions.reading import read_session
from teamwright.runtime.sessions.session import Session
from teamwright.runtime.sessions.state_cell import SessionStateCell
from teamwright.runtime.sessions.supervisor import Supervisor
from teamwright.runtime.shielding import shielded
from teamwright.store.port import EventStore, stream
from teamwright.workspace.files.folders import Folders


class SessionCatalog:
    """`supervisor` has the sessions that this process works on, if it works on any."""

    def __init__(self, store: EventStore, bus: Bus, folders: Folders, supervisor: Supervisor | None = None) -> None:
        self._store = store
        self._bus = bus
        self._folders = folders
        self._supervisor = supervisor
        self.runs = PastRuns(store, self._path_of)

    async def list(self, params: SessionListParams) -> SessionListResult:
        listed = await self._store.sessions(
            query=params.query, project=params.project, limit=params.limit, before=_position(params.before)
        )
        return SessionListResult(sessions=tuple(self._as_it_is(summary) for summary in listed))

    async def search(self, params: SessionSearchParams) -> SessionSearchResult:
        return SessionSearchResult(hits=await self._store.search(params.text, limit=params.limit))

    async def rename(self, params: SessionRenameParams) -> SessionSummary:
        """Raises BadParams for a title without a letter, and Conflict where another window writes to the session."""
        title = " ".join(params.title.split())
        if not title:
            raise BadParams([FieldError(path="title", message="must have a letter in it")])
        async with self._nothing_opens():
            session = self._opened(params.session_id)
            if session is not None:
                return await session.relist(title=title)
            return await shielded(self._relist(params.session_id, title=title))

    async def delete(self, session_id: SessionId) -> SessionSummary:
        """Raises Conflict while something of it is at work."""
        async with self._nothing_opens():
            session = self._opened(session_id)
            summary = self._as_it_is(await self._store.summary(session_id))
            if session is None or self._supervisor is None:
                await self._store.delete(session_id, now())
            else:
                await shielded(session.delete())
                self._supervisor.forget(session_id)
            return summary

    async def restore(self, session_id: SessionId) -> SessionSummary:
        """Where there is nothing to restore, nothing changes."""
        async with self._nothing_opens():
            session = self._opened(session_id)
            if session is not None:
                return session.cell.summary()
            return await shielded(self._restore(session_id))

    async def fork(self, params: SessionForkParams) -> SessionRef:
        target = SessionId(fresh_id("ses"))
        copying = self._store.fork(params.session_id, target, now(), at_seq=params.at_seq)
        return await shielded(self._begun(target, copying))

    async def import_session(self, params: SessionImportParams) -> SessionRef:
        log = await to_thread.run_sync(log_in, params.text)
        target = SessionId(fresh_id("ses"))
        return await shielded(self._begun(target, self._store.import_log(target, log, now())))

    async def export(self, params: SessionExportParams) -> SessionExportResult:
        if params.format == "json":
            log = await self._store.export_log(params.session_id)
            return await _handed_over(await to_thread.run_sync(exported, log), params)
        transcript = MarkdownExport(SessionStateCell(params.session_id), self._path_of)
        async for page in stream(self._store, params.session_id):
            for record in page.records:
                transcript.fold(record)
        return await _handed_over(transcript.text(), params)

    async def view(self, session_id: SessionId) -> SessionView:
        """As it stands in the store. Raises NotFound."""
        return (await read_session(self._store, session_id)).cell.view()

    async def stats(self, session_id: SessionId) -> SessionStats:
        return stats((await read_session(self._store, session_id)).cell.state)

    async def _restore(self, session_id: SessionId) -> SessionSummary:
        await self._store.restore(session_id)
        return await self._relist(session_id)

    async def _relist(self, session_id: SessionId, *, title: str | None = None) -> SessionSummary:
        """For a session that is not open in this process. It is in our hands for this one record only."""
        await self._store.claim(session_id)
        try:
            kept = await self._store.summary(session_id)
            summary = kept if title is None else kept.model_copy(update={"title": title})
            updated = EventRecord(seq=None, at=now(), session_id=session_id, event=SessionUpdated(session=summary))
            (record,) = await self._store.append(session_id, [updated])
        finally:
            await self._store.release(session_id)
        self._bus.publish(record)
        return summary

    async def _begun(self, session_id: SessionId, copying: Awaitable[int]) -> SessionRef:
        """A copy is nobody's yet: whoever opens it first writes to it."""
        await copying
        await self._store.release(session_id)
        page = await self._store.read_before(session_id)
        described = (each for each in reversed(page.records) if isinstance(each.event, SessionUpdated | SessionCreated))
        for record in described:
            self._bus.publish(record)
            break
        return SessionRef(session_id=session_id)

    def _as_it_is(self, summary: SessionSummary) -> SessionSummary:
        """The list is on disk; whether a session is at work only its process knows."""
        session = self._opened(summary.session_id)
        return session.cell.summary() if session is not None else summary

    def _opened(self, session_id: SessionId) -> Session | None:
        return None if self._supervisor is None else self._supervisor.opened(session_id)

    @asynccontextmanager
    async def _nothing_opens(self) -> AsyncGenerator[None]:
        """What is done to a session that is not open must be done before it is."""
        async with anyio.Lock() if self._supervisor is None else self._supervisor.loading:
            yield

    def _path_of(self, uri: str) -> str:
        return self._folders.name_of(uri)


def _position(before: str | None) -> SessionId | datetime | None:
    """A session of the list that was shown, or a time."""
    if before is None or before.startswith("ses_"):
        return None if before is None else SessionId(before)
    try:
        moment = datetime.fromisoformat(before)
    except ValueError:
        message = "must be a session's id or a time such as 2026-01-31T12:00:00Z"
        raise BadParams([FieldError(path="before", message=message)]) from None
    if moment.tzinfo is None:
        raise BadParams([FieldError(path="before", message="must name its time zone, such as Z at its end")])
    return moment


async def _handed_over(text: str, params: SessionExportParams) -> SessionExportResult:
    if params.mask:
        return SessionExportResult(text=await to_thread.run_sync(without_keys, text))
    return SessionExportResult(text=text, warnings=await to_thread.run_sync(warnings_about, text))
