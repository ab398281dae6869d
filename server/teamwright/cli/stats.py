"""`teamwright stats`: how the agents of a team have done in all their runs."""

from argparse import Namespace
from pathlib import Path

from teamwright.cli.dispatch import Subparsers


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "stats", description="Which agents win, agree, cost and break checks, in the runs of a workspace."
    )
    parser.add_argument("--project", metavar="NAME", help="only the runs of a project")
    parser.add_argument("--limit", metavar="N", type=int, default=200, help="the latest so many runs; default: 200")
    parser.add_argument("--workspace", metavar="DIR", type=Path, default=Path(), help="default: this directory")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(args: Namespace) -> int:
    # Heavy, and needed only once the command line is known to be right.
    from teamwright.cli.history.lesson_actions import carry_out  # noqa: PLC0415

    return carry_out("stats", args)
