"""Options that mean the same in every subcommand that has them."""

from argparse import ArgumentParser
from pathlib import Path


def register_workspace(parser: ArgumentParser) -> None:
    parser.add_argument("--workspace", metavar="DIR", type=Path, default=Path(), help="default: this directory")
    parser.add_argument("--config", metavar="FILE", type=Path, help="a configuration that stands before all others")
    parser.add_argument("--trusted", action="store_true", help="read the workspace's own configuration too")


def register_allow_commands(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--allow-commands",
        action="store_true",
        help="let agents run commands in their copies, unasked; needs --trusted",
    )


def register_colour(parser: ArgumentParser) -> None:
    parser.add_argument("--no-color", action="store_true", help="use no colours; NO_COLOR in the environment does too")
