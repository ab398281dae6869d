"""`teamwright report`: a run as a page that can be handed on."""

from argparse import Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Final

from teamwright.cli.dispatch import Subparsers

_DESCRIPTION: Final = """\
A run that is over as one file: its result, answers, votes, changes, checks, findings and what can be learned from it.
The page needs nothing else, loads nothing and runs nothing, so it can be sent to a colleague; as Markdown it fits into
a pull request. What looks like a key is left out."""

_EPILOG: Final = """\
exit codes:
  0  done
  1  it could not be done: there is no such run, or it is not over
  2  a mistake in the command line, or a file that cannot be written"""


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "report", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("run", nargs="?", metavar="RUN", help="its id; default: the latest run")
    parser.add_argument("--format", choices=("html", "markdown"), default="html", help="default: html")
    parser.add_argument("--output", metavar="FILE", type=Path, help="default: standard output")
    parser.add_argument("--no-mask", action="store_true", help="keep what looks like a key")
    parser.add_argument("--workspace", metavar="DIR", type=Path, default=Path(), help="default: this directory")


def run(args: Namespace) -> int:
    # Heavy, and needed only once the command line is known to be right.
    from teamwright.cli.history.lesson_actions import carry_out  # noqa: PLC0415

    return carry_out("report", args)
