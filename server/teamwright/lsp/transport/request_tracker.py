"""The client's requests under way. Each is answered exactly once, whatever becomes of it."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any, Final, cast

import anyio
from anyio.abc import TaskGroup

from teamwright.lsp.transport.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    REQUEST_CANCELLED,
    Failure,
    Json,
    MessageId,
    RequestMessage,
)
from teamwright.lsp.transport.peer import Peer
from teamwright.protocol.errors import UserError

log = logging.getLogger(__name__)

MAX_UNDER_WAY: Final = 1_000

_CANCELLED: Final = Failure(REQUEST_CANCELLED, "The request was cancelled.")
_FAULT_OF_OURS: Final = Failure(500, "Teamwright failed at this request; its log has the details. Please report it.")
_NO_OBJECT: Final = Failure(INVALID_PARAMS, "The params must be an object.")
_SAME_ID: Final = Failure(INVALID_REQUEST, "A request with the same id is still under way.")
_TOO_MANY: Final = Failure(
    429, f"{MAX_UNDER_WAY} requests are under way; wait for their answers.", {"limit": MAX_UNDER_WAY}
)

# What it enters into the stack is left behind the answer.
Handler = Callable[[Json, ExitStack], Awaitable[Any]]


class RequestTracker:
    def __init__(self, peer: Peer, tasks: TaskGroup) -> None:
        self._peer = peer
        self._tasks = tasks
        self._under_way: dict[MessageId, anyio.CancelScope] = {}

    def begin(self, request: RequestMessage, handler: Handler) -> None:
        params: object = {} if request.params is None else request.params
        if not isinstance(params, dict):
            self._peer.answer(request.id, _NO_OBJECT)
        elif request.id in self._under_way:
            self._peer.answer(request.id, _SAME_ID)
        elif len(self._under_way) >= MAX_UNDER_WAY:
            self._peer.answer(request.id, _TOO_MANY)
        else:
            scope = self._under_way[request.id] = anyio.CancelScope()
            self._tasks.start_soon(self._run, request, cast("Json", params), handler, scope)

    def cancel(self, message_id: object) -> None:
        """One that is answered already, or never came, is passed over."""
        if isinstance(message_id, int | str) and message_id in self._under_way:
            self._under_way[message_id].cancel()

    async def _run(self, request: RequestMessage, params: Json, handler: Handler, scope: anyio.CancelScope) -> None:
        answer: Any = _CANCELLED
        with ExitStack() as behind_the_answer:
            try:
                with scope:
                    answer = await _outcome(request.method, handler(params, behind_the_answer))
            finally:
                del self._under_way[request.id]
                self._answer(request, answer)

    def _answer(self, request: RequestMessage, answer: Any) -> None:
        try:
            self._peer.answer(request.id, answer)
        except (TypeError, ValueError):
            log.exception("The result of %s is not JSON", request.method)
            self._peer.answer(request.id, _FAULT_OF_OURS)


async def _outcome(method: str, handling: Awaitable[Any]) -> Any:
    try:
        return await handling
    except UserError as fault:
        return Failure(fault.status, fault.message, fault.data)
    except Exception:
        log.exception("The request %s failed", method)
        return _FAULT_OF_OURS
