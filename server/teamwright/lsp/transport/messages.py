"""A message from the client, read once: what it is, and what was wrong with it.

Named tuples: a dataclass takes five times as long to make, and the editor waits for it.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn, TypeGuard, cast

Json = dict[str, Any]
MessageId = int | str

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
NOT_INITIALIZED = -32002
REQUEST_CANCELLED = -32800


class RequestMessage(NamedTuple):
    id: MessageId
    method: str
    params: Any = None


class NotificationMessage(NamedTuple):
    method: str
    params: Any = None


class ResponseMessage(NamedTuple):
    """To a request of ours."""

    id: MessageId
    result: Any = None
    error: Json | None = None


class Failure(NamedTuple):
    """An error on its way to the client: one sentence that a user can act on."""

    code: int
    message: str
    data: Json | None = None


class Malformed(NamedTuple):
    """Nothing that can be acted on. It is answered where an answer can find its way, else with the id null."""

    id: MessageId | None
    failure: Failure


Message = RequestMessage | NotificationMessage | ResponseMessage | Malformed


def read_messages(body: bytes) -> Iterator[Message]:
    """One message, or the faults of a batch: LSP has none, and yet nobody should wait for ever for its answers."""
    try:
        read: object = json.loads(body.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        yield Malformed(None, Failure(PARSE_ERROR, "The message is not JSON in UTF-8."))
        return
    if is_list(read):
        yield from _batch(read)
    else:
        yield _message(read)


def mapping(value: object) -> Json:
    """What a client said, where an object is due. Anything else counts as not said."""
    return cast("Json", value) if isinstance(value, dict) else {}


def is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _message(read: object) -> Message:
    if not isinstance(read, dict):
        return _malformed(None, "A message must be an object.")
    message = cast("Json", read)
    if "method" not in message:
        return _response(message)
    message_id = _id(message)
    if not isinstance(message["method"], str):
        return _malformed(message_id, "A message's method must be a string.")
    if "id" not in message:
        return NotificationMessage(message["method"], message.get("params"))
    if message_id is None:
        return _malformed(None, "A request's id must be an integer or a string.")
    return RequestMessage(message_id, message["method"], message.get("params"))


def _response(message: Json) -> Message:
    message_id = _id(message)
    error = message.get("error")
    if isinstance(error, dict) and message_id is not None:
        return ResponseMessage(message_id, error=cast("Json", error))
    if "result" in message and message_id is not None:
        return ResponseMessage(message_id, message["result"])
    return _malformed(message_id, "A message needs a method, or the id of a request with its result or error.")


def _batch(batch: list[object]) -> Iterator[Malformed]:
    requests = [cast("Json", each) for each in batch if isinstance(each, dict) and "method" in each]
    ids = [each for request in requests if (each := _id(request)) is not None]
    yield from (_malformed(each, "LSP has no batches; send one message at a time.") for each in ids or [None])


def _id(message: Json) -> MessageId | None:
    given = message.get("id")
    return given if isinstance(given, int | str) and not isinstance(given, bool) else None


def _malformed(message_id: MessageId | None, reason: str) -> Malformed:
    return Malformed(message_id, Failure(INVALID_REQUEST, reason))


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
