"""From a client's JSON to typed params: every fault is named by its path, unknown keys with the nearest known one."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from teamwright.protocol.base import Wire
from teamwright.protocol.errors import BadParams, FieldError

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


# In the words of JSON, whatever the types are called in here.
_WORDS: Final[Mapping[str, str]] = {
    "missing": "is required",
    "model_type": "must be an object",
    "dict_type": "must be an object",
    "tuple_type": "must be a list",
    "too_short": "must not be empty",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "literal_error": "must be {expected}",
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
}


def _message(error: ErrorDetails) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind in _WORDS:
        return _WORDS[kind].format_map(context)
    if kind == "string_too_short" and context["min_length"] == 1:
        return "must not be empty"
    if kind == "value_error":
        return error["msg"].removeprefix("Value error, ")
    return error["msg"][:1].lower() + error["msg"][1:]


def _known_keys(model: type[Wire]) -> frozenset[str]:
    """The keys of the model and of everything in it: near enough for a hint."""
    schema = TypeAdapter(model).json_schema()
    objects: list[Mapping[str, Any]] = [schema, *schema.get("$defs", {}).values()]
    return frozenset(key for each in objects for key in each.get("properties", {}))
