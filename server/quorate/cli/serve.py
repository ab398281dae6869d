"""`quorate serve`: the language server, for an editor to start."""

from argparse import Namespace

from quorate.cli.dispatch import Subparsers


def register(subparsers: Subparsers) -> None:
    subparsers.add_parser("serve", description="Speak LSP on standard input and output. Editors start this.")


def run(args: Namespace) -> int:
    del args
    from quorate.lsp.serve import serve  # noqa: PLC0415 - heavy, and only this subcommand needs it

    return serve()
