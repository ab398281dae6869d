"""The first exchange. It is over before anything heavy is loaded, so that the editor has its answer at once."""

from dataclasses import dataclass
from typing import Final, assert_never

from quorate.lsp.language_server import initialize
from quorate.lsp.transport.messages import (
    INVALID_PARAMS,
    NOT_INITIALIZED,
    Failure,
    Json,
    Malformed,
    Notification,
    Request,
    Response,
    mapping,
)
from quorate.lsp.transport.peer import Peer
from quorate.lsp.transport.reader import Reader

_NOT_YET: Final = Failure(NOT_INITIALIZED, "The server has not been initialized; send `initialize` first.")
_NO_PARAMS: Final = Failure(INVALID_PARAMS, "The params of `initialize` must be an object.")


@dataclass(frozen=True, slots=True)
class Greeting:
    """The params of `initialize`."""

    params: Json


async def greeted(reader: Reader, peer: Peer) -> Greeting | None:
    """None: the client left without a greeting."""
    while (message := await reader.next()) is not None:
        match message:
            case Request(method="initialize", params=dict()):
                params = mapping(message.params)
                result = initialize(params)
                peer.capabilities = mapping(params.get("capabilities"))
                peer.position_encoding = result["capabilities"]["positionEncoding"]
                peer.answer(message.id, result)
                return Greeting(params)
            case Request(method="initialize"):
                peer.answer(message.id, _NO_PARAMS)
            case Request():
                peer.answer(message.id, _NOT_YET)
            case Notification(method="exit"):
                return None
            case Notification() | Response():
                pass
            case Malformed():
                peer.refuse(message)
            case _:
                assert_never(message)
    return None
