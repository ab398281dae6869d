"""From a command line to its work: what is wrong with it or the configuration is told before anything starts."""

from argparse import Namespace
from collections.abc import Callable
from typing import Generic, NamedTuple, Protocol, TypeVar

import anyio

from quorate.cli import output
from quorate.cli.terminal.exit_codes import BAD_USAGE
from quorate.cli.terminal.options import RunOptions, UsageFault
from quorate.cli.terminal.performance import perform
from quorate.cli.terminal.preflight import preflight
from quorate.runtime.premises import Premises


class Options(Protocol):
    @property
    def premises(self) -> Premises: ...


T = TypeVar("T", bound=Options)


class Ready(NamedTuple, Generic[T]):
    options: T
    # What the user was told already.
    known_problems: frozenset[str]


def launch(subcommand: str, options_from: Callable[[Namespace], RunOptions], args: Namespace) -> int:
    ready = readied(subcommand, options_from, args)
    return BAD_USAGE if ready is None else anyio.run(perform, ready.options)


def readied(subcommand: str, options_from: Callable[[Namespace], T], args: Namespace) -> Ready[T] | None:
    """None where nothing can start; why was told."""
    try:
        options = options_from(args)
    except UsageFault as fault:
        output.complain(f"quorate {subcommand}: {fault}")
        return None
    configuration = preflight(options.premises)
    problems = [str(problem) for problem in (*configuration.faults, *configuration.warnings)]
    for problem in problems:
        output.complain(problem)
    return None if configuration.faults else Ready(options, frozenset(problems))
