"""`teamwright eval`: is the team worth it? Tasks with seeded faults, done by one agent and by the team."""

from argparse import Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Final

from teamwright.cli.dispatch import Subparsers

_DESCRIPTION: Final = """\
Have small repositories with seeded faults reviewed and mended by one agent, by the team without refinement and by the
team with it: how many faults were found, how many findings were false, whether the checks are green in the end, at what
cost and in what time. Each trial works in a copy of its own, and its changes are approved there; what would reach
beyond the copy is not."""

_EPILOG: Final = """\
a task of your own is a YAML file in a directory that --suite names:
  language: python
  about: what it is
  check: [python3, -m, unittest]       the command that passes once all is mended
  needs: [python3]                     programs without which it is left out
  faults: [{path: shop.py, line: 7}]   where the faults are
  files: {shop.py: "…", test_shop.py: "…"}

exit codes:
  0  done
  1  the team cannot be set to work
  2  a mistake in the command line or in a task"""


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "eval", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="a task by its name; default: all but the heavy ones")
    parser.add_argument("--all", action="store_true", help="also those whose toolchains take their time")
    parser.add_argument("--suite", metavar="DIR", type=Path, help="tasks of your own; default: ours")
    parser.add_argument(
        "--by", action="append", choices=("single", "team", "refined"), help="only this set-up; may be repeated"
    )
    parser.add_argument("--agent", metavar="ID", help="who works alone; default: the first of the team")
    parser.add_argument("--config", metavar="FILE", type=Path, help="the configuration of the team to rate")
    parser.add_argument("--output", metavar="FILE", type=Path, help="the file to keep; default: one with the date")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON instead of a table")


def run(args: Namespace) -> int:
    # Heavy, and needed only once the command line is known to be right.
    from teamwright.cli.evaluation.command import carry_out  # noqa: PLC0415

    return carry_out(args)
