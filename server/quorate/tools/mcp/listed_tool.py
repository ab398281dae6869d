"""A tool as its server lists it, and the name under which models are offered it. Pure."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

# What every provider accepts as a tool's name.
_LONGEST_NAME: Final = 64
_UNUSABLE: Final = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class ListedTool:
    name: str
    description: str
    schema: Mapping[str, Any]


def offered_name(server: str, tool: str) -> str:
    """`server__tool`. Where that cannot be a name, or could be another tool's, a hash keeps it apart."""
    plain = f"{server}__{tool}"
    usable = _UNUSABLE.sub("_", plain)
    if usable == plain and len(plain) <= _LONGEST_NAME and "__" not in server:
        return plain
    mark = hashlib.sha256(f"{server}\0{tool}".encode()).hexdigest()[:6]
    return f"{usable[: _LONGEST_NAME - len(mark) - 1]}_{mark}"
