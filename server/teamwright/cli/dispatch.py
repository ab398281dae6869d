"""From arguments to a subcommand: one module each, beside this one, with `register(subparsers)` and `run(args) -> int`.

Only the module that is asked for is imported, so that no subcommand pays for another's imports. An editor waits for
`serve`, which takes no options: where there is nothing to parse, not even the parser is loaded.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from teamwright import __version__
from teamwright.cli import output
from teamwright.cli.interruption import INTERRUPTED, Interruptible
from teamwright.protocol.names import PROTOCOL_VERSION

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

SUBCOMMANDS: Final[Mapping[str, str]] = {
    "demo": "watch the team review a sample file; needs no key and no configuration",
    "review": "let the team review files or changes, here in the terminal",
    "fix": "let the team make the project's failing checks pass",
    "run": "let the team work on a task, here in the terminal",
    "chat": "talk with the assistant, here in the terminal",
    "analyze": "say what can be learned from a run: who agreed anyway, what was in vain, what to change",
    "report": "write a run down as a page that can be handed on",
    "stats": "show which agents win, agree, cost and break checks",
    "eval": "rate one agent against the team on tasks with seeded faults",
    "sessions": "list, search, copy and put away what was said and done here",
    "remembered": "show what you have said once and for all, and take it back",
    "store": "check what is kept of this workspace, and bring back what was damaged",
    "check": "validate configuration files and show the team",
    "serve": "speak LSP on stdin and stdout; editors start this",
    "mcp": "speak MCP on stdin and stdout; other assistants start this",
    "init": "write a commented configuration to start from",
    "completion": "print what makes your shell complete our commands and options",
}

_EPILOG: Final = """\
exit codes:
  0    done
  1    failed, or the output could not be written
  2    a mistake in the command line or the configuration; nothing was done
  3    refused or cancelled, or a decision needed you and nobody was there
  124  timed out
  130  interrupted by Ctrl-C

`teamwright COMMAND --help` says what they mean for a command."""

_UNWRITTEN: Final = 1

# What no other program says of itself. Clients look for it before they start a server: see PROTOCOL.md.
_IDENTITY: Final = f"Teamwright {__version__} (teamwright language server, protocol {PROTOCOL_VERSION})"
_IDENTITY_JSON: Final = {"program": "teamwright", "version": __version__, "protocolVersion": PROTOCOL_VERSION}


class Subparsers(Protocol):
    def add_parser(self, name: str, /, **options: Any) -> "ArgumentParser": ...


class Subcommand(Protocol):
    @staticmethod
    def register(subparsers: Subparsers, /) -> None: ...

    @staticmethod
    def run(args: "Namespace", /) -> int: ...


class _Summarised:
    """Subparsers that know what each subcommand is for."""

    def __init__(self, subparsers: Subparsers) -> None:
        self._subparsers = subparsers

    def add_parser(self, name: str, /, **options: Any) -> "ArgumentParser":
        return self._subparsers.add_parser(name, help=SUBCOMMANDS[name], **options)


def dispatch(argv: Sequence[str]) -> int:
    output.prepare()
    code = INTERRUPTED
    with Interruptible() as interruptible:
        code = _subcommand(argv)
    if interruptible.was_interrupted:
        # Half of a library may be loaded; an interpreter that ends properly would stumble over it.
        output.leave_at_once(code)
    if (fault := output.fault()) is not None:
        output.complain(f"teamwright: the output could not be written ({fault}).")
        return code or _UNWRITTEN
    return code


def parser_with(subcommands: Collection[str], kind: "type[ArgumentParser] | None" = None) -> "ArgumentParser":
    """Of the others it knows no more than what they are for."""
    from argparse import ArgumentParser, RawDescriptionHelpFormatter  # noqa: PLC0415 - see above

    parser = (kind or ArgumentParser)(
        prog="teamwright",
        description="A team of AI agents inside your editor.",
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="store_true", help="say who this is, as editors ask it before they start the server"
    )
    parser.add_argument("--json", action="store_true", help="with --version: say it as JSON")
    subparsers = _Summarised(parser.add_subparsers(metavar="COMMAND", dest="command", required=True))
    for name in SUBCOMMANDS:
        if name in subcommands:
            _module(name).register(subparsers)
        else:
            subparsers.add_parser(name)
    return parser


def _subcommand(argv: Sequence[str]) -> int:
    if [*argv] == ["serve"]:
        return import_module("teamwright.cli.serve").run(None)
    asked_for = argv[0] if argv and argv[0] in SUBCOMMANDS else None
    if asked_for is None and "--version" in argv and set(argv) <= {"--version", "--json"}:
        output.say(json.dumps(_IDENTITY_JSON) if "--json" in argv else _IDENTITY)
        return 0
    if asked_for is None:
        # Other options of the program itself, or a mistake: either way argparse has the last word.
        parser_with(()).parse_args(argv)
        return 2
    args = parser_with({asked_for}).parse_args(argv)
    if getattr(args, "no_color", False):
        output.forbid_colour()
    return _module(asked_for).run(args)


def _module(name: str) -> Subcommand:
    return cast("Subcommand", import_module(f"teamwright.cli.{name}"))
