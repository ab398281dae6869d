"""From a client's JSON to typed params: every fault is named by its path, unknown keys with the nearest known one."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from quorate.protocol.base import Wire
from quorate.protocol.errors import BadParams, FieldError

P = TypeVar("P", bound=Wire)


def parse_params(model: type[P], params: object) -> P:
    """Raises BadParams with every fault at once."""
    try:
        return model.model_validate({} if params is None else params)
    except ValidationError as fault:
        known = _known_keys(model)
        raise BadParams([_field_error(error, known) for error in fault.errors(include_url=False)]) from None


def _field_error(error: ErrorDetails, known: frozenset[str]) -> FieldError:
    path = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        key = str(error["loc"][-1])
        near = get_close_matches(key, known, n=1)
        return FieldError(path=path, message="unknown key" + (f", did you mean {near[0]!r}?" if near else ""))
    return FieldError(path=path, message=_message(error))


def _message(error: ErrorDetails) -> str:
    """In the words of JSON, whatever the types are called in here."""
    match error["type"]:
        case "missing":
            return "is required"
        case "model_type" | "dict_type":
            return "must be an object"
        case "tuple_type":
            return "must be a list"
        case "too_short":
            return "must not be empty"
        case "value_error":
            return error["msg"].removeprefix("Value error, ")
        case _:
            return error["msg"][:1].lower() + error["msg"][1:]


def _known_keys(model: type[Wire]) -> frozenset[str]:
    """The keys of the model and of everything in it: near enough for a hint."""
    schema = TypeAdapter(model).json_schema()
    objects: list[Mapping[str, Any]] = [schema, *schema.get("$defs", {}).values()]
    return frozenset(key for each in objects for key in each.get("properties", {}))
