"""One client, from its greeting to its leaving: every message finds its way, or its answer."""

from contextlib import ExitStack
from typing import Any, Final, assert_never

from quorate.lsp.commands import execute
from quorate.lsp.containment import contained
from quorate.lsp.handlers.desk import Desk
from quorate.lsp.ordering import session_of
from quorate.lsp.transport.answering import Answering
from quorate.lsp.transport.leaving import Leaving
from quorate.lsp.transport.messages import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Failure,
    Json,
    Malformed,
    Message,
    Notification,
    Request,
    Response,
    mapping,
)
from quorate.lsp.transport.methods import Methods
from quorate.lsp.transport.reader import Reader

_EXECUTE_COMMAND: Final = "workspace/executeCommand"
_SHUT_DOWN: Final = Failure(INVALID_REQUEST, "The server has been shut down; only `exit` is left.")
_TWICE: Final = Failure(INVALID_REQUEST, "The server has been initialized already.")


class Connection:
    def __init__(self, desk: Desk, methods: Methods, answering: Answering, leaving: Leaving) -> None:
        self._desk = desk
        self._methods = methods
        self._answering = answering
        self._leaving = leaving

    async def serve(self, reader: Reader) -> None:
        """Until the client leaves."""
        while (message := await reader.next()) is not None:
            if isinstance(message, Notification) and message.method == "exit":
                return
            self._take(message)

    def _take(self, message: Message) -> None:
        match message:
            case Request():
                self._request(message)
            case Notification():
                self._notification(message)
            case Response():
                self._desk.peer.take(message)
            case Malformed():
                self._desk.peer.refuse(message)
            case _:
                assert_never(message)

    def _request(self, request: Request) -> None:
        if self._leaving.is_announced:
            self._desk.peer.answer(request.id, _SHUT_DOWN)
        elif request.method == "initialize":
            self._desk.peer.answer(request.id, _TWICE)
        elif request.method == "shutdown":
            self._leaving.is_announced = True
            self._desk.peer.answer(request.id, None)
        elif request.method == _EXECUTE_COMMAND:
            self._answering.begin(request, self._command)
        elif (handler := self._methods.request(request.method)) is not None:
            self._answering.begin(request, lambda params, _: handler(params))
        else:
            unknown = Failure(METHOD_NOT_FOUND, f"Quorate does not handle {request.method[:100]}.")
            self._desk.peer.answer(request.id, unknown)

    def _notification(self, notification: Notification) -> None:
        if self._leaving.is_announced:
            return
        params = mapping(notification.params)
        if notification.method == "$/cancelRequest":
            self._answering.cancel(params.get("id"))
        for handler in self._methods.notification(notification.method):
            with contained(notification.method):
                handler(params)

    async def _command(self, params: Json, behind_the_answer: ExitStack) -> Any:
        session_id = await session_of(params, self._desk.supervisor)
        behind_the_answer.enter_context(self._desk.client.held(session_id))
        return await execute(self._desk, params.get("command"), params.get("arguments"))
