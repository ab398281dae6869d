"""From a command line to a run: what is wrong with it or with the configuration is told before anything starts."""

from argparse import Namespace
from collections.abc import Callable

import anyio

from quorate.cli import output
from quorate.cli.terminal.exit_codes import BAD_USAGE
from quorate.cli.terminal.options import RunOptions, UsageFault
from quorate.cli.terminal.performance import perform
from quorate.cli.terminal.preflight import preflight


def launch(subcommand: str, options_from: Callable[[Namespace], RunOptions], args: Namespace) -> int:
    try:
        options = options_from(args)
    except UsageFault as fault:
        output.complain(f"quorate {subcommand}: {fault}")
        return BAD_USAGE
    configuration = preflight(options.premises)
    for problem in (*configuration.faults, *configuration.warnings):
        output.complain(str(problem))
    return BAD_USAGE if configuration.faults else anyio.run(perform, options)
