"""`teamwright review`: the team looks at files or changes, in the terminal."""

from argparse import Namespace, RawDescriptionHelpFormatter
from typing import Final

from teamwright.cli.dispatch import Subparsers
from teamwright.cli.shared_options import register_allow_commands, register_colour, register_workspace

_DESCRIPTION: Final = """\
Let the team review files, directories or changes. You see its findings with how many agents agree, the votes and, with
--fix, the changes it proposes as a diff; nothing is written before you say yes."""

_EPILOG: Final = """\
examples:
  teamwright review src/app.py
  teamwright review src/app.py:120-180 --fix
  teamwright review --diff main...        what this branch has changed

exit codes:
  0    completed, whatever was found
  1    failed, or a change could not be written
  2    a mistake in the command line or the configuration; nothing was run
  3    refused or cancelled, or a decision needed you and nobody was there
  124  timed out; the best answer so far was shown
  130  interrupted by Ctrl-C, once: with the partial result; twice: at once"""


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "review", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*", metavar="PATH[:LINES]", help="a file, some lines of it, or a directory")
    parser.add_argument("--diff", metavar="BASE", help="what has changed since this revision, instead of files")
    parser.add_argument("--fix", action="store_true", help="propose changes that mend what was found")
    parser.add_argument("--instructions", metavar="TEXT", help="what to look for, in your words")
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
    from teamwright.cli.terminal.review_options import review_options_from  # noqa: PLC0415
    from teamwright.cli.terminal.run_command import run_command  # noqa: PLC0415

    return launch("review", review_options_from, run_command, args)
