"""Which function carries out which command. The type checker holds each to the types of its row."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from teamwright.application.context import CommandContext
from teamwright.protocol.base import Wire
from teamwright.protocol.command_table import Command

P = TypeVar("P", bound=Wire)
R = TypeVar("R", bound=Wire)
Function = Callable[[CommandContext, P], Awaitable[R]]

FUNCTIONS: Final[dict[str, Function[Any, Any]]] = {}


def carries_out(command: Command[P, R]) -> Callable[[Function[P, R]], Function[P, R]]:
    """Marks the one function of a command."""

    def register(function: Function[P, R]) -> Function[P, R]:
        if command.name in FUNCTIONS:
            raise ValueError(f"{command.name} is carried out already")
        FUNCTIONS[command.name] = function
        return function

    return register
