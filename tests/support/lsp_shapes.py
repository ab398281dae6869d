"""Whether a message of the server has the shape that LSP gives it, as lsprotocol knows it."""

from typing import Any, Final, cast

from lsprotocol import converters, types

Json = dict[str, Any]

# Not of LSP: our own notification, whose shape the protocol's own tests check.
OURS: Final = {"teamwright/event"}

_CONVERTER: Final = converters.get_converter()


def _command_or_action(value: Json, _: object) -> types.Command | types.CodeAction:
    """lsprotocol takes every action with a command for a command."""
    return _CONVERTER.structure(value, types.Command if isinstance(value.get("command"), str) else types.CodeAction)


_CONVERTER.register_structure_hook(types.Command | types.CodeAction, _command_or_action)


def fault_in(message: Json, asked: str | None) -> str | None:
    """`asked` is the method that a response answers. None: there is no fault."""
    kind = _type_of(message, asked)
    if kind is None:
        return None
    try:
        read = _CONVERTER.unstructure(_CONVERTER.structure(message, kind), kind)
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        return f"{message} is no {kind.__name__}: {fault!r}"
    return None if _without_nulls(read) == _without_nulls(message) else f"{message} is a {kind.__name__} with odd keys"


def _type_of(message: Json, asked: str | None) -> type[Any] | None:
    if "error" in message:
        return types.ResponseErrorMessage
    method = message.get("method", asked)
    if method in OURS or method is None:
        return None
    sent, answered, *_ = types.METHOD_TO_TYPES[method]
    return sent if "method" in message else answered


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in cast("Json", value).items() if each is not None}
    if isinstance(value, list | tuple):
        return [_without_nulls(each) for each in cast("list[Any]", value)]
    return value
