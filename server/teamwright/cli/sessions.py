"""`teamwright sessions`: what was said and done in this workspace, as things to list, keep, copy and put away."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any, Final

from teamwright.cli import output
from teamwright.cli.dispatch import Subparsers

_EPILOG: Final = """\
exit codes:
  0  done
  1  it could not be done: there is no such session, or it is in use elsewhere
  2  a mistake in the command line, or a file that is not an exported session"""


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "sessions",
        description="The sessions of a workspace.",
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    _register_finding(actions)
    _register_changing(actions)
    _register_moving(actions)


def run(args: Namespace) -> int:
    # Heavy, and needed only once the command line is known to be right.
    import anyio  # noqa: PLC0415

    from teamwright.cli.history.session_actions import perform  # noqa: PLC0415
    from teamwright.cli.terminal.run_ending import BAD_USAGE, COMPLETED, FAILED  # noqa: PLC0415
    from teamwright.cli.terminal.run_options import UsageFault  # noqa: PLC0415
    from teamwright.protocol.errors import BadParams, UserError  # noqa: PLC0415

    try:
        anyio.run(perform, args)
    except (UsageFault, BadParams) as fault:
        output.complain(f"teamwright sessions: {fault}")
        return BAD_USAGE
    except UserError as fault:
        output.complain(f"teamwright sessions: {fault.message}")
        return FAILED
    return COMPLETED


def _register_finding(actions: Any) -> None:
    listing = _action(actions, "list", "the sessions of this workspace, newest first")
    listing.add_argument("--query", metavar="TEXT", help="only those with this in their title or last message")
    listing.add_argument("--project", metavar="NAME", help="only those of a project")
    listing.add_argument("--limit", metavar="N", type=int, default=50, help="how many; default: 50")
    listing.add_argument("--before", metavar="ID", help="go on behind this session of the list, or before a time")
    show = _action(actions, "show", "one session: what was said, and what the team came to")
    _about_session(show)
    search = _action(actions, "search", "where something was said")
    search.add_argument("text", metavar="TEXT", help="words that must all be there; the last may be a beginning")
    search.add_argument("--limit", metavar="N", type=int, default=50, help="how many; default: 50")


def _register_changing(actions: Any) -> None:
    fork = _action(actions, "fork", "a copy to go on with, of the whole session or of its beginning")
    _about_session(fork)
    fork.add_argument("--at", metavar="SEQ", type=int, help="up to the last turn that was finished at this record")
    rename = _action(actions, "rename", "another title")
    _about_session(rename)
    rename.add_argument("title", metavar="TITLE")
    _about_session(_action(actions, "delete", "out of sight; `restore` brings it back"))
    _about_session(_action(actions, "restore", "a deleted session back into sight"))


def _register_moving(actions: Any) -> None:
    export = _action(actions, "export", "a session as text", with_json=False)
    _about_session(export)
    export.add_argument("--format", choices=("json", "markdown"), default="json", help="default: json")
    export.add_argument("--mask", action="store_true", help="leave out what looks like a key")
    export.add_argument("--output", metavar="FILE", type=Path, help="default: standard output")
    taking_in = _action(actions, "import", "an exported session, as a new one")
    taking_in.add_argument("file", metavar="FILE", help="a file that `export` wrote as JSON; - is standard input")


def _action(actions: Any, name: str, summary: str, *, with_json: bool = True) -> ArgumentParser:
    parser: ArgumentParser = actions.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
    parser.add_argument("--workspace", metavar="DIR", type=Path, default=Path(), help="default: this directory")
    if with_json:
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser


def _about_session(parser: ArgumentParser) -> None:
    parser.add_argument("session", metavar="ID", help="as `teamwright sessions list` shows it")
