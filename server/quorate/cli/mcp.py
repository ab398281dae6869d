"""`quorate mcp`: the team as tools for any MCP client."""

from argparse import Namespace

from quorate.cli import output
from quorate.cli.dispatch import Subparsers
from quorate.cli.shared_options import register_premises


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "mcp",
        description="Speak MCP on standard input and output, with the tools launch_run, respond, get_run, list_runs "
        "and cancel_run. A run waits for a second call that approves it, unless the configuration says otherwise.",
    )
    register_premises(parser)


def run(args: Namespace) -> int:
    # Heavy, and only this subcommand needs them.
    import anyio  # noqa: PLC0415

    from quorate.cli.terminal.exit_codes import BAD_USAGE  # noqa: PLC0415
    from quorate.cli.terminal.options import UsageFault, premises_from  # noqa: PLC0415
    from quorate.mcp_server.serve import serve  # noqa: PLC0415

    try:
        premises = premises_from(args)
    except UsageFault as fault:
        output.complain(f"quorate mcp: {fault}")
        return BAD_USAGE
    return anyio.run(serve, premises)
