"""`teamwright init`: a commented configuration to start from."""

from argparse import Namespace
from importlib.resources import files
from pathlib import Path
from typing import cast

from teamwright.cli import output
from teamwright.cli.dispatch import Subparsers


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser("init", description="Write a commented configuration to start from.")
    parser.add_argument(
        "path", nargs="?", type=Path, default=Path("teamwright.yaml"), metavar="PATH", help="default: teamwright.yaml"
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")


def run(args: Namespace) -> int:
    target = cast("Path", args.path)
    if target.is_dir():
        target /= "teamwright.yaml"
    starter = files("teamwright.cli").joinpath("starter.yaml").read_text(encoding="utf-8")
    try:
        with target.open("w" if args.force else "x", encoding="utf-8", newline="\n") as file:
            file.write(starter)
    except FileExistsError:
        output.complain(f"{target} exists already; use --force to overwrite it, or name another path.")
        return 2
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "not a usable path"
        output.complain(f"{target} cannot be written ({reason.lower()}); name another path.")
        return 2
    output.say(f"Wrote {target}. `teamwright check {target}` shows what it comes down to.")
    return 0
