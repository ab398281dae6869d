"""Sessions as things: found, opened, left, copied, put away."""

from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.engine.transcript.follower import TranscriptFollower
from teamwright.protocol import command_table as table
from teamwright.protocol.commands import (
    SessionExportParams,
    SessionExportResult,
    SessionForkParams,
    SessionImportParams,
    SessionListParams,
    SessionListResult,
    SessionOpenParams,
    SessionOpenResult,
    SessionParams,
    SessionRef,
    SessionRenameParams,
    SessionSearchParams,
    SessionSearchResult,
    SessionStats,
)
from teamwright.protocol.errors import NotFound
from teamwright.protocol.transcript import Transcript
from teamwright.protocol.views import SessionSummary
from teamwright.runtime.catalog.catalog import SessionCatalog


@carries_out(table.SESSION_LIST)
async def list_sessions(context: CommandContext, params: SessionListParams) -> SessionListResult:
    return await (await _catalog(context)).list(params)


@carries_out(table.SESSION_OPEN)
async def open_session(context: CommandContext, params: SessionOpenParams) -> SessionOpenResult:
    """From now on the client hears of it, exactly behind what this returns."""
    opened = await context.supervisor.open_session(params, listener=context.client)
    return opened.model_copy(update={"transcript": _transcript(context, params)})


def _transcript(context: CommandContext, params: SessionOpenParams) -> Transcript | None:
    before = params.items_before if isinstance(params.items_before, str) else None
    transcript = context.supervisor.transcript(params.session_id)
    if transcript is None:
        return None
    if before is not None and transcript.entries.get(before) is None:
        raise NotFound(f"There is no entry {before} in this session.")
    if context.transcripts is not None:
        return context.transcripts.opened(params.session_id, transcript, before)
    follower = TranscriptFollower(transcript.entries)
    return follower.opened() if before is None else follower.earlier(before)


@carries_out(table.SESSION_CLOSE)
async def close_session(context: CommandContext, params: SessionParams) -> SessionRef:
    if context.transcripts is not None:
        context.transcripts.closed(params.session_id)
    return await context.supervisor.close_session(params, listener=context.client)


@carries_out(table.SESSION_SEARCH)
async def search(context: CommandContext, params: SessionSearchParams) -> SessionSearchResult:
    return await (await _catalog(context)).search(params)


@carries_out(table.SESSION_RENAME)
async def rename(context: CommandContext, params: SessionRenameParams) -> SessionSummary:
    return await (await _catalog(context)).rename(params)


@carries_out(table.SESSION_DELETE)
async def delete(context: CommandContext, params: SessionParams) -> SessionSummary:
    return await (await _catalog(context)).delete(params.session_id)


@carries_out(table.SESSION_RESTORE)
async def restore(context: CommandContext, params: SessionParams) -> SessionSummary:
    return await (await _catalog(context)).restore(params.session_id)


@carries_out(table.SESSION_FORK)
async def fork(context: CommandContext, params: SessionForkParams) -> SessionRef:
    return await (await _catalog(context)).fork(params)


@carries_out(table.SESSION_COMPACT)
async def compact(context: CommandContext, params: SessionParams) -> SessionSummary:
    """It has begun when this returns; `session.compacted` tells when it is done. Raises Conflict where it cannot be."""
    session = await context.supervisor.existing(params.session_id)
    await context.attend(session)
    context.background.start(await session.compacting.begin())
    return session.cell.summary()


@carries_out(table.SESSION_STATS)
async def stats(context: CommandContext, params: SessionParams) -> SessionStats:
    return await (await _catalog(context)).stats(params.session_id)


@carries_out(table.SESSION_EXPORT)
async def export(context: CommandContext, params: SessionExportParams) -> SessionExportResult:
    return await (await _catalog(context)).export(params)


@carries_out(table.SESSION_IMPORT)
async def import_session(context: CommandContext, params: SessionImportParams) -> SessionRef:
    return await (await _catalog(context)).import_session(params)


async def _catalog(context: CommandContext) -> SessionCatalog:
    services = await context.services()
    return SessionCatalog(services.store, services.bus, services.client_context.folders, context.supervisor)
