"""`teamwright run`: the team at work on one task, in the terminal."""

from argparse import ArgumentParser, BooleanOptionalAction, Namespace, RawDescriptionHelpFormatter
from typing import Final

from teamwright.cli.dispatch import Subparsers
from teamwright.cli.shared_options import register_allow_commands, register_colour, register_workspace

_DESCRIPTION: Final = """\
Let the team work on a task. On a terminal you see it at work and are asked what only you can decide;
elsewhere progress goes to stderr line by line, and the result alone to stdout."""

_EPILOG: Final = """\
exit codes:
  0    completed
  1    failed, or a change could not be written
  2    a mistake in the command line or the configuration; nothing was run
  3    refused or cancelled, or a decision needed you and nobody was there
  124  timed out; the best answer so far was shown
  130  interrupted by Ctrl-C, once: with the partial result; twice: at once"""


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "run", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("task", metavar="TASK", help="what the team is to do")
    _register_mode(parser)
    _register_files(parser)
    parser.add_argument(
        "--budget",
        metavar="LIMIT",
        help="stop and ask at 1.5usd, 20000tokens or 60s; several limits with commas",
    )
    register_allow_commands(parser)
    parser.add_argument("--yes", action="store_true", help="approve the run, its plan and its changes beforehand")
    parser.add_argument("--json", action="store_true", help="print every event as one line of JSON on stdout")


def run(args: Namespace) -> int:
    # Heavy, and needed only once there is something to run.
    from teamwright.cli.terminal.preparation import launch  # noqa: PLC0415
    from teamwright.cli.terminal.run_command import run_command  # noqa: PLC0415
    from teamwright.cli.terminal.run_options import options_from  # noqa: PLC0415

    return launch("run", options_from, run_command, args)


def _register_mode(parser: ArgumentParser) -> None:
    parser.add_argument("--agents", metavar="IDS", help="who takes part, with commas; default: the whole team")
    parser.add_argument("--single", action="store_true", help="one agent alone: the named one, or the first")
    parser.add_argument(
        "--refine",
        action=BooleanOptionalAction,
        help="agents improve their answers with what the others found; default: yes, unless --single",
    )
    parser.add_argument("--plan", action="store_true", help="make a plan first, carry it out if you approve it")


def _register_files(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--read", action="append", metavar="PATH", help="a file or directory that agents may read; may be repeated"
    )
    parser.add_argument(
        "--write", action="append", metavar="PATH", help="likewise, and changes to it are proposed to you"
    )
    register_workspace(parser)
    register_colour(parser)
