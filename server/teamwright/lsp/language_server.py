"""The language server: what it offers, registered with pygls, which derives from it what it tells the client.

Everything is registered before `initialize` is answered, and nothing heavy is loaded for it: the features themselves
come behind (`ls.features`), and no message is dispatched before they are there.
"""

import inspect
from collections.abc import Awaitable, Callable, Generator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import JsonRPCRequestMessage, LanguageServerProtocol, default_converter, lsp_method

from teamwright import __version__
from teamwright.lsp.transport.messages import Json, MessageId, is_list, mapping
from teamwright.lsp.transport.outbox import Outbox, Plain
from teamwright.protocol.command_names import COMMAND_NAMES
from teamwright.protocol.names import CODE_ACTION_KINDS, PROTOCOL_VERSION

if TYPE_CHECKING:
    from teamwright.lsp.features.features import Features

RequestHandler = Callable[[Json], Awaitable[Any]]
NotificationHandler = Callable[[Json], None]
# What it enters into the stack is left behind the answer.
CommandHandler = Callable[[object, ExitStack], Awaitable[Any]]

_ENCODINGS: Final = [kind.value for kind in types.PositionEncodingKind]
_COMPLETED_BEHIND: Final = [":", " ", "$", "{"]


class TeamwrightProtocol(LanguageServerProtocol):
    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """What LSP has no word for stands beside what pygls has derived."""
        result = yield from super().lsp_initialize(params)
        result.capabilities.experimental = {"teamwright": {"protocolVersion": PROTOCOL_VERSION}}
        return result


class TeamwrightServer(LanguageServer):
    # Set when the rest of the server is loaded.
    features: "Features"

    def __init__(self, outbox: Outbox) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - pygls leaves its rest untyped
            "teamwright", __version__, protocol_cls=TeamwrightProtocol, converter_factory=default_converter
        )
        self.protocol.set_writer(_OutboxWriter(outbox), include_headers=False)
        _register_documents(self)
        _register_workspace(self)
        _register_commands(self)

    def answer_initialize(self, message_id: MessageId, params: Json) -> None:
        """pygls is told only what it negotiates by: what a client of a later version says besides must not be its
        stumbling block."""
        general = mapping(mapping(params.get("capabilities")).get("general"))
        offered = general.get("positionEncodings")
        known = [types.PositionEncodingKind(each) for each in offered if each in _ENCODINGS] if is_list(offered) else []
        capabilities = types.ClientCapabilities(
            general=types.GeneralClientCapabilities(position_encodings=known or None)
        )
        handshake = types.InitializeParams(capabilities=capabilities)
        self.protocol.handle_message(JsonRPCRequestMessage(message_id, types.INITIALIZE, "2.0", handshake))

    def request_handler(self, method: str) -> RequestHandler | None:
        """What is registered for a request of LSP. Its result is JSON; a UserError that it raises is the answer."""
        return handler if inspect.iscoroutinefunction(handler := self._registered(method)) else None

    def notification_handler(self, method: str) -> NotificationHandler | None:
        handler = self._registered(method)
        return None if inspect.iscoroutinefunction(handler) else handler

    def command_handler(self, name: str) -> CommandHandler | None:
        commands = self.protocol.fm.commands  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return cast("dict[str, CommandHandler]", commands).get(name)

    def _registered(self, method: str) -> Any:
        features = self.protocol.fm.features  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return cast("dict[str, Any]", features).get(method)


class _OutboxWriter:
    """What pygls itself has to say goes the way of all messages."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    def write(self, data: bytes) -> None:
        self._outbox.put(Plain(data))

    def close(self) -> None:
        """The output is closed by its thread."""


def _register_documents(server: TeamwrightServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: TeamwrightServer, params: Json) -> None:
        ls.features.text_sync.open(params)
        ls.features.follow_text(params)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: TeamwrightServer, params: Json) -> None:
        ls.features.text_sync.change(params)
        ls.features.follow_text(params)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: TeamwrightServer, params: Json) -> None:
        ls.features.text_sync.close(params)
        ls.features.follow_text(params)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: TeamwrightServer, params: Json) -> None:
        ls.features.settings.take_saved(params)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[*CODE_ACTION_KINDS]))
    async def code_action(ls: TeamwrightServer, params: Json) -> list[Json]:
        return ls.features.code_actions.offered(params)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_COMPLETED_BEHIND))
    async def completion(ls: TeamwrightServer, params: Json) -> list[Json]:
        return ls.features.configuration.complete(params)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: TeamwrightServer, params: Json) -> Json | None:
        return ls.features.configuration.hover(params)


def _register_workspace(server: TeamwrightServer) -> None:
    @server.feature(types.INITIALIZED)
    def initialized(ls: TeamwrightServer, _params: Json) -> None:
        ls.features.begin()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(ls: TeamwrightServer, params: Json) -> None:
        ls.features.settings.take_settings(params)
        ls.features.configuration.check_all()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(ls: TeamwrightServer, params: Json) -> None:
        ls.features.settings.take_files(params)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_workspace_folders(ls: TeamwrightServer, params: Json) -> None:
        ls.features.settings.take_folders(params)

    @server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def work_done_progress_cancel(ls: TeamwrightServer, params: Json) -> None:
        ls.features.progress.cancel(params)


def _register_commands(server: TeamwrightServer) -> None:
    for name in COMMAND_NAMES:

        @server.command(name)
        async def execute(
            ls: TeamwrightServer, arguments: object, behind_the_answer: ExitStack, name: str = name
        ) -> Json:
            return await ls.features.execute(name, arguments, behind_the_answer)
