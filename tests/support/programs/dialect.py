"""The port to the streaming JSON of one command-line program."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tests.support.programs.play import CallsTools, Fails, UsesTool
from tests.support.programs.tool_server import ServerCommand, ToolServer
from tests.support.usage import Usage

Event: TypeAlias = dict[str, Any]
Use: TypeAlias = Callable[[str, str], str]
"""Uses a tool of the server with these arguments, and gives its answer."""

SESSION_ID = "0b5c1d1e-5c1e-4c60-9d4c-0f0f0f0f0f0f"


@dataclass(frozen=True)
class Invocation:
    """What the command line asks for."""

    prompt: str | None
    """None when the prompt is to be read from stdin."""
    model: str
    system: str = ""
    partial_messages: bool = True
    input_lines: bool = False
    """Stdin carries JSON lines and stays open, instead of one text that ends with it."""
    servers: Sequence[ServerCommand] = ()
    one_turn: bool = False
    """The program stops when its model has used tools, instead of telling it what came of that."""


class Dialect(Protocol):
    """How one program says what happens. One instance is one run of the program."""

    def begins(self, prompt: str, servers: Sequence[ToolServer], /) -> Iterator[Event]: ...

    def says(self, fragments: Sequence[str]) -> Iterator[Event]: ...

    def thinks(self, fragments: Sequence[str], /) -> Iterator[Event]: ...

    def uses_tool(self, use: UsesTool) -> Iterator[Event]: ...

    def calls_tools(self, called: CallsTools, use: Use) -> Iterator[Event]: ...

    def stops_after_a_turn(self, usage: Usage, /) -> Iterator[Event]: ...

    @property
    def turn_limit_exit(self) -> int: ...

    def ends(self, usage: Usage) -> Iterator[Event]: ...

    def fails(self, failure: Fails) -> Iterator[Event]: ...

    def exit_code(self, failure: Fails, /) -> int: ...
