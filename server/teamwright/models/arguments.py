"""A tool call as the model wrote it, turned into one that may run or into a sentence that says why it may not."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import isinf
from typing import TYPE_CHECKING, Any, cast

from teamwright.models.limits import MAX_NAME_CHARACTERS, MAX_OPENINGS
from teamwright.models.port import ModelToolCall, ToolCallCompleted, ToolCallInvalid, ToolSpec
from teamwright.models.schemas import checkable

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

MAX_PROBLEMS = 3
MAX_PROBLEM_CHARACTERS = 1_000


class NotStrictJson(ValueError):
    """The text is not one JSON value, or it is one that two readers could understand differently."""


def strict_json(text: str) -> object:
    if text.count("{") + text.count("[") > MAX_OPENINGS:
        raise NotStrictJson("made of too many parts")
    try:
        return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant, parse_float=_finite)
    except NotStrictJson:
        raise
    except ValueError as error:
        # Also a number with too many digits to be one.
        raise NotStrictJson(f"not valid JSON ({error})") from error
    except RecursionError as error:
        raise NotStrictJson("nested too deeply") from error


def object_text(arguments: str) -> str:
    """The arguments as they stand, or an empty object where they are none: providers refuse to be sent other things."""
    try:
        return arguments if isinstance(strict_json(arguments), dict) else "{}"
    except NotStrictJson:
        return "{}"


def checked_call(
    call_id: str, name: str, arguments: str, tools: Sequence[ToolSpec]
) -> ToolCallCompleted | ToolCallInvalid:
    """Arguments left out altogether are an empty object: models do so for tools that need none."""
    try:
        value = strict_json(arguments.strip() or "{}")
    except NotStrictJson as error:
        problem = f"The arguments of {name} are {error}. Call it again with one JSON object."
        return ToolCallInvalid(call_id, name, problem)
    return checked_value(call_id, name, value, tools)


def checked_value(
    call_id: str, name: str, arguments: object, tools: Sequence[ToolSpec]
) -> ToolCallCompleted | ToolCallInvalid:
    tool = next((each for each in tools if each.name == name), None)
    if tool is None:
        known = ", ".join(each.name for each in tools)
        problem = f"There is no tool {name!r}. Call one of: {known}." if known else "No tool can be called now."
        wanted = cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else {}
        return ToolCallInvalid(call_id, name, problem, wanted)
    if not isinstance(arguments, dict):
        problem = f"The arguments of {name} must be one JSON object."
    elif violations := _violations(tool.schema, cast("dict[str, Any]", arguments)):
        problem = f"The arguments of {name} do not fit: {'; '.join(violations)}. Correct them and call it again."
    else:
        return ToolCallCompleted(ModelToolCall(call_id, name, cast("dict[str, Any]", arguments)))
    return ToolCallInvalid(call_id, name, problem)


def _violations(schema: Mapping[str, Any], arguments: dict[str, Any]) -> list[str]:
    # Imported here: it takes a fifth of a second, and only tool calls need it.
    from jsonschema import SchemaError  # noqa: PLC0415
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    try:
        errors = islice(_validator(schema).iter_errors(arguments), MAX_PROBLEMS)
        return [_shortened(f"{error.json_path.removeprefix('$.')}: {error.message}") for error in errors]
    except (SchemaError, Unresolvable, RecursionError) as error:
        return [f"the tool's own schema is faulty ({type(error).__name__}), so it cannot be called at all"]


def _shortened(problem: str) -> str:
    """It quotes the arguments, which may be long."""
    return problem if len(problem) <= MAX_PROBLEM_CHARACTERS else f"{problem[:MAX_PROBLEM_CHARACTERS]}…"


def _validator(schema: Mapping[str, Any]) -> "Validator":
    return _compiled(json.dumps(schema))


@lru_cache(maxsize=256)
def _compiled(schema_text: str) -> "Validator":
    """Checking a schema takes longer than checking a call against it, and the same few are called over and over."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    schema = checkable(json.loads(schema_text))
    Draft202012Validator.check_schema(schema)
    # An empty registry: a schema may not make us fetch another one.
    return Draft202012Validator(schema, registry=Registry())


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, each in pairs:
        if name in value:
            raise NotStrictJson(f"ambiguous: the key {name[:MAX_NAME_CHARACTERS]!r} stands in them twice")
        value[name] = each
    return value


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise NotStrictJson("not valid JSON (a number is too large to be one)")
    return value


def _no_constant(name: str) -> object:
    raise NotStrictJson(f"not valid JSON ({name} is no JSON value)")
