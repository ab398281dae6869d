"""`teamwright fix`: the team makes the project's failing checks pass, in the terminal."""

from argparse import Namespace, RawDescriptionHelpFormatter
from typing import Final

from teamwright.cli.dispatch import Subparsers
from teamwright.cli.shared_options import register_allow_commands, register_colour, register_workspace

_DESCRIPTION: Final = """\
Let the team make failing checks pass: tests, types, lint, whatever the project has. They are run on the files as they
are; what fails becomes the task, every answer is checked, and only one that stands best can win. Nothing is written
before you say yes. Checks run only in a workspace that you trust (--trusted)."""

_EPILOG: Final = """\
examples:
  teamwright fix --trusted                all that fails
  teamwright fix tests lint --trusted     these checks

exit codes:
  0    completed and the checks pass, or nothing was to be fixed
  1    failed, checks still fail, or a change could not be written
  2    a mistake in the command line or the configuration; nothing was run
  3    refused or cancelled, or a decision needed you and nobody was there
  124  timed out; the best answer so far was shown
  130  interrupted by Ctrl-C, once: with the partial result; twice: at once"""


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "fix", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("checks", nargs="*", metavar="NAME", help="a check by its name; default: all that fail")
    parser.add_argument("--instructions", metavar="TEXT", help="what to mind, in your words")
    parser.add_argument("--agents", metavar="IDS", help="who takes part, with commas; default: the whole team")
    parser.add_argument("--budget", metavar="LIMIT", help="stop and ask at 1.5usd, 20000tokens or 60s; with commas")
    register_allow_commands(parser)
    parser.add_argument("--yes", action="store_true", help="approve the run and its changes beforehand")
    parser.add_argument("--json", action="store_true", help="print every event as one line of JSON on stdout")
    register_workspace(parser)
    register_colour(parser)


def run(args: Namespace) -> int:
    # Heavy, and needed only once there is something to run.
    from teamwright.cli.terminal.preparation import launch  # noqa: PLC0415
    from teamwright.cli.terminal.review_options import fix_options_from  # noqa: PLC0415
    from teamwright.cli.terminal.run_command import run_command  # noqa: PLC0415

    return launch("fix", fix_options_from, run_command, args)
