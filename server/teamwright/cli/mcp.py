"""`teamwright mcp`: the team as tools for any MCP client."""

from argparse import Namespace

from teamwright.cli import output
from teamwright.cli.dispatch import Subparsers
from teamwright.cli.shared_options import register_workspace


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "mcp",
        description="Speak MCP on standard input and output, with the tools launch_run, respond, get_run, list_runs "
        "and cancel_run. A run waits for a second call that approves it, unless the configuration says otherwise.",
    )
    register_workspace(parser)


def run(args: Namespace) -> int:
    # Heavy, and only this subcommand needs them.
    import anyio  # noqa: PLC0415

    from teamwright.cli.terminal.run_ending import BAD_USAGE  # noqa: PLC0415
    from teamwright.cli.terminal.run_options import UsageFault, client_context_from  # noqa: PLC0415
    from teamwright.mcp_server.serve import serve  # noqa: PLC0415

    try:
        client_context = client_context_from(args)
    except UsageFault as fault:
        output.complain(f"teamwright mcp: {fault}")
        return BAD_USAGE
    return anyio.run(serve, client_context)
