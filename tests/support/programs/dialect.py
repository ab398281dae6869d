"""The port to the streaming JSON of one command-line program."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tests.support.programs.play import Fails, UsesTool
from tests.support.usage import Usage

Event: TypeAlias = dict[str, Any]

SESSION_ID = "0b5c1d1e-5c1e-4c60-9d4c-0f0f0f0f0f0f"


@dataclass(frozen=True)
class Invocation:
    """What the command line asks for."""

    prompt: str | None
    """None when the prompt is to be read from stdin."""
    model: str
    partial_messages: bool = True
    input_lines: bool = False
    """Stdin carries JSON lines and stays open, instead of one text that ends with it."""


class Dialect(Protocol):
    """How one program says what happens. One instance is one run of the program."""

    def begins(self, prompt: str, /) -> Iterator[Event]: ...

    def says(self, fragments: Sequence[str]) -> Iterator[Event]: ...

    def thinks(self, fragments: Sequence[str], /) -> Iterator[Event]: ...

    def uses_tool(self, use: UsesTool) -> Iterator[Event]: ...

    def ends(self, usage: Usage) -> Iterator[Event]: ...

    def fails(self, failure: Fails) -> Iterator[Event]: ...

    def exit_code(self, failure: Fails, /) -> int: ...
