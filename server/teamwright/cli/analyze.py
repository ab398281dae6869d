"""`teamwright analyze`: what can be learned from a run, in the terminal."""

from argparse import Namespace, RawDescriptionHelpFormatter
from typing import Final

from teamwright.cli.dispatch import Subparsers
from teamwright.cli.shared_options import register_colour, register_workspace

_DESCRIPTION: Final = """\
What can be learned from a run that is over: who was at work when, answers that were alike, votes that flipped, rounds
that changed nothing, slow and failing agents, where tokens went, what the checks said, and which settings would serve
better. It all stands in the run's log: no model is asked, unless you want a second opinion."""

_EPILOG: Final = """\
examples:
  teamwright analyze                  the latest run
  teamwright analyze --again          run it again with the settings that are recommended
  teamwright analyze --opinion        ask the assistant's model, too

exit codes:
  0  done; with --again as for `teamwright run`
  1  it could not be done: there is no such run, or it is not over
  2  a mistake in the command line or the configuration"""


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "analyze", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("run", nargs="?", metavar="RUN", help="its id, as `teamwright sessions show` has it")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--again", action="store_true", help="run it again with the settings that are recommended")
    choice.add_argument("--opinion", action="store_true", help="ask the assistant's model what it makes of the run")
    parser.add_argument("--yes", action="store_true", help="with --again: approve the run and its changes beforehand")
    parser.add_argument("--json", action="store_true", help="print the analysis as JSON; with --again every event")
    register_workspace(parser)
    register_colour(parser)


def run(args: Namespace) -> int:
    # Heavy, and needed only once the command line is known to be right.
    if args.again:
        from teamwright.cli.history.again_options import again_options_from  # noqa: PLC0415
        from teamwright.cli.terminal.preparation import launch  # noqa: PLC0415
        from teamwright.cli.terminal.run_command import run_command  # noqa: PLC0415

        return launch("analyze", again_options_from, run_command, args)
    from teamwright.cli.history.lesson_actions import carry_out  # noqa: PLC0415

    return carry_out("analyze", args)
