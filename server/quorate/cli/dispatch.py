"""From arguments to a subcommand: one module each, beside this one, with `register(subparsers)` and `run(args) -> int`.

Only the module that is asked for is imported, so that no subcommand pays for another's imports.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Protocol, cast

import quorate
from quorate.cli import output

SUBCOMMANDS: Final[Mapping[str, str]] = {
    "run": "let the team work on a task, here in the terminal",
    "chat": "talk with the assistant, here in the terminal",
    "sessions": "list, search, copy and put away what was said and done here",
    "check": "validate configuration files and show the team",
    "serve": "speak LSP on stdin and stdout; editors start this",
    "mcp": "speak MCP on stdin and stdout; other assistants start this",
    "init": "write a commented configuration to start from",
}

_INTERRUPTED: Final = 130


class Subparsers(Protocol):
    def add_parser(self, name: str, /, **options: Any) -> ArgumentParser: ...


class Subcommand(Protocol):
    @staticmethod
    def register(subparsers: Subparsers, /) -> None: ...

    @staticmethod
    def run(args: Namespace, /) -> int: ...


def dispatch(argv: Sequence[str]) -> int:
    output.prepare()
    parser = ArgumentParser(prog="quorate", description="A team of AI agents inside your editor.")
    parser.add_argument("--version", action="version", version=f"quorate {quorate.__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", dest="command", required=True)
    asked_for = argv[0] if argv and argv[0] in SUBCOMMANDS else None
    for name, summary in SUBCOMMANDS.items():
        if name != asked_for:
            subparsers.add_parser(name, help=summary)
    if asked_for is None:
        # Options of the program itself, or a mistake: either way argparse has the last word.
        parser.parse_args(argv)
        return 2
    subcommand = cast("Subcommand", import_module(f"quorate.cli.{asked_for}"))
    subcommand.register(subparsers)
    try:
        return subcommand.run(parser.parse_args(argv))
    except KeyboardInterrupt:
        return _INTERRUPTED
