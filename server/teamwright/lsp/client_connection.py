"""One client behind its greeting: the application is opened for it, and every message finds its way, or its answer."""

from contextlib import ExitStack
from typing import Any, Final, assert_never

import anyio
import sniffio

from teamwright.application.background import contained
from teamwright.application.lifecycle import opened_application
from teamwright.lsp.client_options import ClientOptions
from teamwright.lsp.features.context import FeatureContext
from teamwright.lsp.features.diagnostics import Diagnostics
from teamwright.lsp.features.event_feed import EventFeed
from teamwright.lsp.features.features import Features
from teamwright.lsp.features.workspace_edits import ClientEditor
from teamwright.lsp.language_server import TeamwrightServer
from teamwright.lsp.outbound import Outbound
from teamwright.lsp.transport.logs import begin_logging
from teamwright.lsp.transport.messages import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Failure,
    Json,
    Malformed,
    Message,
    NotificationMessage,
    RequestMessage,
    ResponseMessage,
    mapping,
)
from teamwright.lsp.transport.outbox import Outbox
from teamwright.lsp.transport.peer import Peer
from teamwright.lsp.transport.request_tracker import RequestTracker
from teamwright.lsp.transport.shutdown import Shutdown, watch_parent
from teamwright.lsp.transport.stdio import ReaderThread
from teamwright.protocol.errors import NotFound
from teamwright.workspace.files.documents import Documents

_EXECUTE_COMMAND: Final = "workspace/executeCommand"
_SHUT_DOWN: Final = Failure(INVALID_REQUEST, "The server has been shut down; only `exit` is left.")
_TWICE: Final = Failure(INVALID_REQUEST, "The server has been initialized already.")


async def serve_client(
    params: Json,
    server: TeamwrightServer,
    *,
    reader: ReaderThread,
    outbox: Outbox,
    peer: Peer,
    shutdown: Shutdown,
) -> None:
    """Until the client leaves. `params` are those of `initialize`."""
    # Told once; every step of anyio and of the HTTP clients would sniff it out anew.
    sniffio.current_async_library_cvar.set("asyncio")
    begin_logging(peer)
    watch_parent(params.get("processId"), shutdown.want)
    options, documents, client = ClientOptions(params), Documents(), Outbound()
    if peer.knows_our_protocol:
        client.follow(EventFeed(outbox, deltas=options.wants_deltas, transcript=options.wants_transcript))
    async with (
        opened_application(
            lambda: options.client_context, documents, ClientEditor(peer), is_loaded=False
        ) as application,
        anyio.create_task_group() as requests,
    ):
        if options.wants_transcript:
            client.follow(application.draw_for(client, client.is_held))
        application.join(client)
        server.features = Features(FeatureContext(application, client, peer, documents, options, Diagnostics(peer)))
        await ClientConnection(server, peer, RequestTracker(peer, requests), shutdown).serve(reader)
        requests.cancel_scope.cancel()


class ClientConnection:
    """Messages to what is registered on the server: notifications at once and in order, so that a later request sees
    them done; requests side by side."""

    def __init__(self, server: TeamwrightServer, peer: Peer, tracker: RequestTracker, shutdown: Shutdown) -> None:
        self._server = server
        self._peer = peer
        self._tracker = tracker
        self._shutdown = shutdown

    async def serve(self, reader: ReaderThread) -> None:
        while (message := await reader.next()) is not None:
            if isinstance(message, NotificationMessage) and message.method == "exit":
                return
            self._take(message)

    def _take(self, message: Message) -> None:
        match message:
            case RequestMessage():
                self._request(message)
            case NotificationMessage():
                self._notification(message)
            case ResponseMessage():
                self._peer.take(message)
            case Malformed():
                self._peer.refuse(message)
            case _:
                assert_never(message)

    def _request(self, request: RequestMessage) -> None:
        if self._shutdown.is_announced:
            self._peer.answer(request.id, _SHUT_DOWN)
        elif request.method == "initialize":
            self._peer.answer(request.id, _TWICE)
        elif request.method == "shutdown":
            self._shutdown.is_announced = True
            self._peer.answer(request.id, None)
        elif request.method == _EXECUTE_COMMAND:
            self._tracker.begin(request, self._command)
        elif (handler := self._server.request_handler(request.method)) is not None:
            self._tracker.begin(request, lambda params, _: handler(params))
        else:
            unknown = Failure(METHOD_NOT_FOUND, f"Teamwright does not handle {request.method[:100]}.")
            self._peer.answer(request.id, unknown)

    def _notification(self, notification: NotificationMessage) -> None:
        if self._shutdown.is_announced:
            return
        params = mapping(notification.params)
        if notification.method == "$/cancelRequest":
            self._tracker.cancel(params.get("id"))
        elif (handler := self._server.notification_handler(notification.method)) is not None:
            with contained(notification.method):
                handler(params)

    async def _command(self, params: Json, behind_the_answer: ExitStack) -> Any:
        name = params.get("command")
        handler = self._server.command_handler(name) if isinstance(name, str) else None
        if handler is None:
            raise NotFound(f"There is no command {name!r}; the server's capabilities list those it has.")
        return await handler(params.get("arguments"), behind_the_answer)
