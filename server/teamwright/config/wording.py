"""What the validator found, in words for the person who wrote the file: what is wrong, what would be right."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic_core import ErrorDetails

from teamwright.config.nodes import ListNode, MapNode, Node, Scalar, descend
from teamwright.config.problems import Problem, child_path, nearest
from teamwright.config.secrets import may_be_shown

_LONGEST_QUOTE: Final = 40

_NEEDED: Final[Mapping[str, str]] = {
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "finite_number": "a finite number",
}

_BOUNDS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "greater_than": lambda ctx: f"must be greater than {ctx['gt']:g}",
    "greater_than_equal": lambda ctx: f"must be at least {ctx['ge']:g}",
    "less_than_equal": lambda ctx: f"must be at most {ctx['le']:g}",
}


def fault_of(error: ErrorDetails, root: MapNode) -> Problem:
    """Where the validator points to, mapped back to the place in the file."""
    node: Node = root
    steps = error["loc"]
    for step in steps:
        # Steps that are no keys are the names of a union's branches.
        node = descend(node, step) or node
    if error["type"] == "missing":
        path = child_path(node.path, str(steps[-1]))
        return Problem(node.place, path, "is missing, add this key")
    if error["type"] in {"union_tag_invalid", "union_tag_not_found"}:
        kind = node.get("type") if isinstance(node, MapNode) else None
        node = kind or node
    return Problem(node.place, node.path, _message(error, node))


def _message(error: ErrorDetails, node: Node) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind in _NEEDED:
        return f"must be {_NEEDED[kind]}, not {shown(node)}{_advice(kind, node)}"
    if kind in _BOUNDS:
        return f"{_BOUNDS[kind](context)}, not {shown(node)}"
    match kind:
        case "literal_error":
            return _choice(node, _quoted_words(context["expected"]))
        case "union_tag_invalid" | "union_tag_not_found":
            return _choice(node, _quoted_words(context.get("expected_tags", "")))
        case "string_too_short":
            return "must not be empty, write something"
        case _:
            # Ours: whole sentences already.
            return error["msg"]


def _choice(node: Node, allowed: list[str]) -> str:
    value = node.value if isinstance(node, Scalar) else None
    near = nearest(value, allowed) if isinstance(value, str) else None
    if near:
        return f"{shown(node)} is not known, did you mean '{near}'?"
    return f"{shown(node)} is not known, use one of {', '.join(allowed)}"


def _quoted_words(text: str) -> list[str]:
    return re.findall(r"'([^']*)'", text)


def _advice(kind: str, node: Node) -> str:
    if kind == "string_type" and isinstance(node, Scalar) and isinstance(node.value, bool | int | float):
        return ", put quotes around it"
    return ""


def shown(node: Node) -> str:
    """A value as a message may show it: short, on one line, and never a secret."""
    match node:
        case MapNode():
            return "a mapping"
        case ListNode():
            return "a list"
        case Scalar(value=None):
            return "nothing"
        case Scalar(value=bool(switch)):
            return "true" if switch else "false"
        case Scalar(value=value):
            if not may_be_shown(node.path, str(value)):
                return "this value"
            text = repr(value)
            return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…"
