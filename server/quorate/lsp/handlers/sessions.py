"""Sessions as things: found, opened, left, copied, put away."""

from quorate.lsp.handlers.desk import Desk
from quorate.lsp.shortening import shortened
from quorate.protocol.commands import (
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
from quorate.protocol.views import SessionSummary
from quorate.runtime.shelf.shelf import Shelf


async def list_sessions(desk: Desk, params: SessionListParams) -> SessionListResult:
    return await (await _shelf(desk)).list(params)


async def open_session(desk: Desk, params: SessionOpenParams) -> SessionOpenResult:
    return shortened(await desk.supervisor.open_session(params, listener=desk.client))


async def close_session(desk: Desk, params: SessionParams) -> SessionRef:
    return await desk.supervisor.close_session(params, listener=desk.client)


async def search(desk: Desk, params: SessionSearchParams) -> SessionSearchResult:
    return await (await _shelf(desk)).search(params)


async def rename(desk: Desk, params: SessionRenameParams) -> SessionSummary:
    return await (await _shelf(desk)).rename(params)


async def delete(desk: Desk, params: SessionParams) -> SessionSummary:
    return await (await _shelf(desk)).delete(params.session_id)


async def restore(desk: Desk, params: SessionParams) -> SessionSummary:
    return await (await _shelf(desk)).restore(params.session_id)


async def fork(desk: Desk, params: SessionForkParams) -> SessionRef:
    return await (await _shelf(desk)).fork(params)


async def compact(desk: Desk, params: SessionParams) -> SessionSummary:
    session = await desk.supervisor.existing(params.session_id)
    await desk.attend(session)
    desk.errands.start(await session.compacting.begin())
    return session.state.summary()


async def stats(desk: Desk, params: SessionParams) -> SessionStats:
    return await (await _shelf(desk)).stats(params.session_id)


async def export(desk: Desk, params: SessionExportParams) -> SessionExportResult:
    return await (await _shelf(desk)).export(params)


async def import_session(desk: Desk, params: SessionImportParams) -> SessionRef:
    return await (await _shelf(desk)).import_session(params)


async def _shelf(desk: Desk) -> Shelf:
    house = await desk.supervisor.house()
    return Shelf(house.store, house.bus, house.premises.folders, desk.supervisor)
