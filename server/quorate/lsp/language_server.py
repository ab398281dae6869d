"""pygls as we use it: it owns the LSP types and the documents; frames, commands and their cancellation are ours."""

from collections.abc import Generator
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from quorate import __version__
from quorate.protocol.names import COMMAND_NAMES, PROTOCOL_VERSION, RESERVED_COMMAND_NAMES


class QuorateProtocol(LanguageServerProtocol):
    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        result = yield from super().lsp_initialize(params)
        result.capabilities.execute_command_provider = types.ExecuteCommandOptions(
            commands=[*COMMAND_NAMES, *RESERVED_COMMAND_NAMES]
        )
        result.capabilities.experimental = {"quorate": {"protocolVersion": PROTOCOL_VERSION}}
        return result


def new_language_server() -> LanguageServer:
    return LanguageServer("quorate", __version__, protocol_cls=QuorateProtocol)
