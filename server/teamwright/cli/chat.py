"""`teamwright chat`: the assistant, and through it the team, in the terminal."""

from argparse import Namespace, RawDescriptionHelpFormatter
from typing import Final

from teamwright.cli.dispatch import Subparsers
from teamwright.cli.shared_options import register_colour, register_workspace

_DESCRIPTION: Final = """\
Talk with the assistant, which calls the team where the work needs one. On a terminal you are asked what only you
can decide; otherwise every line of standard input is a message, and the answers alone go to stdout."""

_EPILOG: Final = """\
Ctrl-C cancels what is under way, Ctrl-D leaves; /help lists the commands.

exit codes:
  0    you left, or every line was answered
  1    a turn failed
  2    a mistake in the command line or the configuration; nothing was said
  3    a decision needed you and nobody was there
  130  interrupted by Ctrl-C, twice"""


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "chat", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--session", metavar="ID", help="go on with this session; `teamwright sessions list` shows them")
    which.add_argument("--continue", dest="go_on", action="store_true", help="go on with the latest session")
    parser.add_argument("--yes", action="store_true", help="approve runs, their plans and their changes beforehand")
    register_workspace(parser)
    register_colour(parser)


def run(args: Namespace) -> int:
    # Heavy, and needed only once the command line is known to be right.
    from teamwright.cli.terminal.chat_command import ChatOptions, chat_command  # noqa: PLC0415
    from teamwright.cli.terminal.preparation import launch  # noqa: PLC0415

    return launch("chat", ChatOptions.from_arguments, chat_command, args)
