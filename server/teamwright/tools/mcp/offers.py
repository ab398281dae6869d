"""The tools that a server lists, as far as they are within bounds. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from teamwright.tools.limits import (
    MAX_ALL_SCHEMAS_CHARACTERS,
    MAX_NAME_CHARACTERS,
    MAX_SCHEMA_CHARACTERS,
    MAX_SCHEMA_DEPTH,
    MAX_TOOLS,
)
from teamwright.tools.mcp.port import ListedTool


@dataclass(frozen=True, slots=True)
class TakenTools:
    tools: tuple[ListedTool, ...]
    left_out: str | None
    """A clause for the user about what is not offered."""


def within_bounds(listed: Sequence[ListedTool]) -> TakenTools:
    tools: list[ListedTool] = []
    room = MAX_ALL_SCHEMAS_CHARACTERS
    for tool in listed[:MAX_TOOLS]:
        size = _size(tool)
        if size is not None and size <= room:
            room -= size
            tools.append(tool)
    if len(listed) > MAX_TOOLS:
        return TakenTools(tuple(tools), f"lists more than {MAX_TOOLS} tools; the others are not offered")
    if missing := len(listed) - len(tools):
        what = "a tool that is" if missing == 1 else f"{missing} tools that are"
        return TakenTools(tuple(tools), f"lists {what} described beyond all measure and not offered")
    return TakenTools(tuple(tools), None)


def _size(tool: ListedTool) -> int | None:
    """None where the tool is too much by itself."""
    if not 0 < len(tool.name) <= MAX_NAME_CHARACTERS or not _is_flat(tool.schema, MAX_SCHEMA_DEPTH):
        return None
    size = len(json.dumps(tool.schema))
    return size if size <= MAX_SCHEMA_CHARACTERS else None


def _is_flat(value: object, levels: int) -> bool:
    if isinstance(value, dict):
        inside = list(cast("dict[str, Any]", value).values())
    elif isinstance(value, list):
        inside = cast("list[Any]", value)
    else:
        return True
    return levels > 0 and all(_is_flat(each, levels - 1) for each in inside)
