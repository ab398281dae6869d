"""pygls as we use it: it knows the LSP types, negotiates and computes capabilities. Transport and dispatch are ours."""

from quorate.lsp.light_types import types

# isort: split
# pygls comes behind, or it would load the types in the ordinary way.
from collections.abc import Generator
from typing import Any, Final, cast

from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from quorate import __version__
from quorate.lsp.transport.messages import Json, is_list, mapping
from quorate.protocol.names import CODE_ACTION_KINDS, COMMAND_NAMES, PROTOCOL_VERSION, RESERVED_COMMAND_NAMES

_ENCODINGS: Final = [kind.value for kind in types.PositionEncodingKind]


class QuorateProtocol(LanguageServerProtocol):
    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        result = yield from super().lsp_initialize(params)
        result.capabilities.execute_command_provider = types.ExecuteCommandOptions(
            commands=[*COMMAND_NAMES, *RESERVED_COMMAND_NAMES]
        )
        result.capabilities.code_action_provider = types.CodeActionOptions(code_action_kinds=list(CODE_ACTION_KINDS))
        result.capabilities.completion_provider = types.CompletionOptions(trigger_characters=[":", " ", "$", "{"])
        result.capabilities.hover_provider = True
        if isinstance(result.capabilities.text_document_sync, types.TextDocumentSyncOptions):
            result.capabilities.text_document_sync.save = True
        result.capabilities.experimental = {"quorate": {"protocolVersion": PROTOCOL_VERSION}}
        return result


def initialize(params: Json) -> Json:
    """The result of `initialize`.

    pygls is told only what it negotiates by: what a client of a later version says besides must not be its stumbling
    block.
    """
    converter = default_converter()
    server = LanguageServer("quorate", __version__, protocol_cls=QuorateProtocol, converter_factory=lambda: converter)
    greeting = types.InitializeParams(capabilities=types.ClientCapabilities(general=_general(params)))
    steps = server.protocol.lsp_initialize(greeting)
    try:
        while True:
            next(steps)
    except StopIteration as end:
        return cast("Json", converter.unstructure(end.value))


def _general(params: Json) -> types.GeneralClientCapabilities:
    general = mapping(mapping(params.get("capabilities")).get("general"))
    offered = general.get("positionEncodings")
    known = [types.PositionEncodingKind(each) for each in offered if each in _ENCODINGS] if is_list(offered) else None
    return types.GeneralClientCapabilities(position_encodings=known or None)
