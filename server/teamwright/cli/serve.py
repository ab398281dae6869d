"""`teamwright serve`: the language server, for an editor to start."""

import gc

from teamwright.cli.dispatch import Subparsers


def register(subparsers: Subparsers) -> None:
    subparsers.add_parser("serve", description="Speak LSP on standard input and output. Editors start this.")


def run(args: object) -> int:
    """Without options, whatever was parsed."""
    del args
    # Looking for garbage every few hundred objects would take a tenth of the time to the first answer; never looking
    # would leave nine megabytes of it, since the types of LSP are made by way of rings.
    gc.set_threshold(5_000, 10, 1_000)
    from teamwright.lsp.serve import serve  # noqa: PLC0415 - heavy, and only this subcommand needs it

    return serve()
