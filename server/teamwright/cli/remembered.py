"""`teamwright remembered`: what you have said once and for all in this workspace, and how you take it back."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from teamwright.cli import output
from teamwright.cli.dispatch import Subparsers


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "remembered", description="What you have said once and for all about tools and checks of this workspace."
    )
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    _action(actions, "list", "what is remembered")
    forget = _action(actions, "forget", "take answers back, so that you are asked again")
    forget.add_argument("answers", metavar="ID", nargs="*", help="as `teamwright remembered list` shows it")
    forget.add_argument("--all", action="store_true", help="all of them")


def run(args: Namespace) -> int:
    # Heavy, and needed only once the command line is known to be right.
    import anyio  # noqa: PLC0415

    from teamwright.cli.terminal.run_ending import BAD_USAGE, COMPLETED, FAILED  # noqa: PLC0415
    from teamwright.cli.terminal.run_options import UsageFault  # noqa: PLC0415
    from teamwright.protocol.errors import UserError  # noqa: PLC0415

    if args.action == "forget" and bool(args.answers) == args.all:
        output.complain("teamwright remembered: name the answers that are to be forgotten, or say --all.")
        return BAD_USAGE
    try:
        anyio.run(_perform, args)
    except UsageFault as fault:
        output.complain(f"teamwright remembered: {fault}")
        return BAD_USAGE
    except UserError as fault:
        output.complain(f"teamwright remembered: {fault.message}")
        return FAILED
    return COMPLETED


async def _perform(args: Namespace) -> None:
    from teamwright.application.remembered import forget_in, remembered_in  # noqa: PLC0415
    from teamwright.cli.history.tables import aligned  # noqa: PLC0415
    from teamwright.cli.terminal.printable import printable  # noqa: PLC0415
    from teamwright.cli.terminal.run_options import client_context_from  # noqa: PLC0415

    client_context = client_context_from(args)
    if args.action == "forget":
        result = await forget_in(client_context, None if args.all else args.answers)
        answers, nothing = result.forgotten, "There was nothing to forget."
    else:
        result = await remembered_in(client_context)
        answers, nothing = result.answers, "Nothing is remembered in this workspace: you are asked about everything."
    if args.json:
        output.say(result.to_json())
    elif not answers:
        output.complain(nothing)
    else:
        rows = [(each.answer_id, f"{each.title} {each.says}.") for each in answers]
        for line in aligned([("ID", "FORGOTTEN" if args.action == "forget" else "WHAT YOU HAVE SAID"), *rows]):
            output.say(printable(line, output.with_result()))


def _action(actions: Any, name: str, summary: str) -> ArgumentParser:
    parser: ArgumentParser = actions.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
    parser.add_argument("--workspace", metavar="DIR", type=Path, default=Path(), help="default: this directory")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser
