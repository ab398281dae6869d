"""What a tool is: a name and a description for the model, strict arguments, the permission it needs, and its effect."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict

from teamwright.models.port import ToolSpec
from teamwright.permissions.actions import Action


class Arguments(BaseModel):
    """Unknown keys and wrong types are refused: what a model did not mean is not guessed at."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


@dataclass(frozen=True, slots=True)
class Succeeded:
    text: str


@dataclass(frozen=True, slots=True)
class Failed:
    """Data for the model: a sentence that says what to do instead."""

    text: str


Outcome = Succeeded | Failed
A = TypeVar("A", bound=Arguments)


class Tool(ABC, Generic[A]):
    name: ClassVar[str]
    description: ClassVar[str]
    arguments: type[A]

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, self.description, compact_schema(self.arguments))

    @abstractmethod
    def action(self, arguments: A) -> Action:
        """What the dispatcher asks the permissions about before it runs the tool."""

    @abstractmethod
    async def run(self, arguments: A) -> Outcome: ...


AnyTool = Tool[Any]


@cache
def compact_schema(arguments: type[Arguments]) -> Mapping[str, Any]:
    """Without what only fills the prompt: titles, and null for what can simply be left out."""
    return _compact(arguments.model_json_schema())


def _compact(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_compact(each) for each in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    items = cast("dict[str, Any]", schema).items()
    kept = {key: _compact(value) for key, value in items if not _is_filler(key, value)}
    match kept.pop("anyOf", None):
        case [only, {"type": "null"}]:
            return {**kept, **only}
        case None:
            return kept
        case branches:
            return {**kept, "anyOf": branches}


def _is_filler(key: str, value: object) -> bool:
    return (key == "title" and isinstance(value, str)) or (key == "default" and value is None)


class HeadAndTail:
    """Takes what comes and keeps what fits, so that endless output costs no more memory than its bound."""

    def __init__(self, limit: int) -> None:
        self._room = limit - limit // 2
        self._tail_limit = limit // 2
        self._head = ""
        self._tail = ""
        self._left_out = 0

    def add(self, text: str) -> None:
        fitting, rest = text[: self._room], text[self._room :]
        self._head += fitting
        self._room -= len(fitting)
        tail = self._tail + rest
        self._tail = tail[-self._tail_limit :]
        self._left_out += len(tail) - len(self._tail)

    @property
    def is_cut(self) -> bool:
        return self._left_out > 0

    def text(self, how_to_get_the_rest: str) -> str:
        if not self.is_cut:
            return self._head + self._tail
        return f"{self._head}\n[… {self._left_out} characters left out; {how_to_get_the_rest} …]\n{self._tail}"


def head_and_tail(text: str, limit: int, how_to_get_the_rest: str) -> str:
    shown = HeadAndTail(limit)
    shown.add(text)
    return shown.text(how_to_get_the_rest)
