"""From a command line to its work: what is wrong with it or the configuration is told before anything starts."""

from argparse import Namespace
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

import anyio

from teamwright.application.lifecycle import ClientContext
from teamwright.cli import output
from teamwright.cli.terminal.run_ending import BAD_USAGE
from teamwright.cli.terminal.run_options import UsageFault
from teamwright.config.load import load
from teamwright.config.sources import find_sources
from teamwright.config.surroundings import Surroundings


class Options(Protocol):
    @property
    def client_context(self) -> ClientContext: ...


T = TypeVar("T", bound=Options)


def launch(
    subcommand: str, options_from: Callable[[Namespace], T], carry_out: Callable[[T], Awaitable[int]], args: Namespace
) -> int:
    """The exit code. Nothing is carried out where something must be mended first, which is told."""
    try:
        options = options_from(args)
    except UsageFault as fault:
        output.complain(f"teamwright {subcommand}: {fault}")
        return BAD_USAGE
    if _has_faults(options.client_context):
        return BAD_USAGE
    return anyio.run(carry_out, options)


def _has_faults(client_context: ClientContext) -> bool:
    """Of the configuration; its warnings are passed on, too."""
    surroundings = Surroundings()
    sources = find_sources(
        explicit=client_context.config,
        folders=client_context.folders.paths,
        trusted=client_context.trusted,
        environ=surroundings.environ,
    )
    effective = load(sources.found, workspace=client_context.root, find=surroundings.findings)
    faults = (*sources.faults, *effective.faults)
    for problem in (*faults, *sources.warnings, *effective.warnings):
        output.complain(str(problem))
    return bool(faults)
