"""What an agent without a model says next: words, and calls of the tools it is offered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    text: str = ""
    calls: tuple[Call, ...] = ()
