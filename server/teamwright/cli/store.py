"""`teamwright store`: whether what is kept of a workspace is whole, and what can be brought back where it is not."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from teamwright.cli import output
from teamwright.cli.dispatch import Subparsers

if TYPE_CHECKING:
    from teamwright.application.history_care import HistoryReport

_EPILOG: Final = """\
exit codes:
  0  it is whole, or what could be read was brought back
  1  something is damaged, or it could not be looked at just now
  2  a mistake in the command line"""
_WHOLE, _DAMAGED, _BAD_USAGE = 0, 1, 2


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "store",
        description="The history of a workspace as files: sessions, and the copies that are kept of them.",
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    _action(actions, "check", "whether every record is as it was written; changes nothing")
    recover = _action(actions, "recover", "put what is damaged aside, and bring back what can be read")
    recover.add_argument(
        "file", metavar="FILE", nargs="?", type=Path, help="take in what this copy or damaged file holds, too"
    )


def run(args: Namespace) -> int:
    # Heavy, and needed only once the command line is known to be right.
    import anyio  # noqa: PLC0415

    from teamwright.cli.terminal.run_options import UsageFault  # noqa: PLC0415
    from teamwright.protocol.errors import UserError  # noqa: PLC0415

    try:
        return anyio.run(_perform, args)
    except UsageFault as fault:
        output.complain(f"teamwright store: {fault}")
        return _BAD_USAGE
    except UserError as fault:
        output.complain(f"teamwright store: {fault.message}")
        return _DAMAGED


async def _perform(args: Namespace) -> int:
    from teamwright.application.history_care import check_history, recover_history  # noqa: PLC0415
    from teamwright.cli.terminal.run_options import client_context_from  # noqa: PLC0415

    client_context = client_context_from(args)
    if args.action == "recover":
        _say(await recover_history(client_context, args.file))
        return _WHOLE
    report = await check_history(client_context)
    _say("\n".join(_lines(report)))
    return _DAMAGED if report.faults else _WHOLE


def _say(text: str) -> None:
    """Titles are what people and models wrote, and must not steer a terminal."""
    from teamwright.cli.terminal.printable import printable  # noqa: PLC0415

    terminal = output.stdout_terminal()
    output.say(text if terminal is None else printable(text, terminal))


def _lines(report: "HistoryReport") -> list[str]:
    found = report.inspection
    if report.condition in {"missing", "empty"}:
        lines = [f"There is no history at {report.path}."]
    elif found is None:
        lines = [f"{report.path}: it was not read any further."]
    else:
        lines = [f"{report.path}: {_counted(found.sessions, 'session')} with {_counted(found.records, 'record')}."]
    lines += report.faults or (["Everything is as it was written."] if found is not None else [])
    if report.faults:
        lines.append("`teamwright store recover` brings back what can be read.")
    lines += [f"Copy: {copy}" for copy in report.copies]
    return lines


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _action(actions: Any, name: str, summary: str) -> ArgumentParser:
    parser: ArgumentParser = actions.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
    parser.add_argument("--workspace", metavar="DIR", type=Path, default=Path(), help="default: this directory")
    return parser
