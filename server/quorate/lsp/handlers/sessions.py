"""Sessions as things: found, opened, left."""

from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import (
    SessionListParams,
    SessionListResult,
    SessionOpenParams,
    SessionOpenResult,
    SessionParams,
    SessionRef,
    SessionSearchParams,
    SessionSearchResult,
)


async def list_sessions(desk: Desk, params: SessionListParams) -> SessionListResult:
    return await desk.supervisor.list_sessions(params)


async def open_session(desk: Desk, params: SessionOpenParams) -> SessionOpenResult:
    return await desk.supervisor.open_session(params, listener=desk.client)


async def close_session(desk: Desk, params: SessionParams) -> SessionRef:
    return await desk.supervisor.close_session(params, listener=desk.client)


async def search(desk: Desk, params: SessionSearchParams) -> SessionSearchResult:
    return await desk.supervisor.search(params)
